/** The part of libheif that is used here; the package declares none of it. */
declare module 'libheif-js/wasm-bundle.js' {
  interface Pixels {
    readonly data: Uint8ClampedArray
    readonly width: number
    readonly height: number
  }
  interface HeifImage {
    get_width(): number
    get_height(): number
    /** Writes RGBA into the target's data; null when the picture does not decode. */
    display(target: Pixels, done: (shown: Pixels | null) => void): void
  }
  const heif: { readonly HeifDecoder: new () => { decode(bytes: Uint8Array): readonly HeifImage[] } }
  export default heif
}
