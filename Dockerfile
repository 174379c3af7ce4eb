# The gateway as an image: three stages, of which only the last is kept. It holds no compiler, no sources and no secret.
ARG NODE_IMAGE=node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /opt/rialto
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json rolldown.config.ts ./
COPY src src
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /opt/rialto
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE_IMAGE}
ENV NODE_ENV=production RIALTO_DATA=/var/lib/rialto
WORKDIR /opt/rialto
COPY --from=dependencies /opt/rialto/node_modules node_modules
COPY --from=build /opt/rialto/dist dist
COPY package.json package.json
COPY bin bin
# Commands find rialto.yaml in the folder in which they start, so that `docker exec … rialto account list` needs no option.
RUN ln -s /opt/rialto/bin/rialto.js /usr/local/bin/rialto \
  && install -d -o node -g node -m 0700 /var/lib/rialto \
  && install -d /etc/rialto
WORKDIR /etc/rialto
# By number, which is what Kubernetes needs to see that this is not root: the user `node` of the image.
USER 1000:1000
EXPOSE 8402
# There is no HEALTHCHECK here, because some supervisors kill what fails it: a gateway whose store is away is not ready, but
# still has streams to end.
ENTRYPOINT ["node", "/opt/rialto/bin/rialto.js"]
CMD ["serve", "--host", "0.0.0.0"]
