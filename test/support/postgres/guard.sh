#!/bin/sh
# Usage: guard.sh FOLDER PID. Ends the servers under the folder and removes it, and its like in memory, as soon as the test
# run PID is over, however it ended, or says so itself by the file `ended`. A process is signalled only when its command line
# names the folder.
folder=$1
run=$2

run_goes_on() {
  [ ! -e "$folder/ended" ] && read -r status 2>/dev/null <"/proc/$run/stat" || return 1
  case ${status##*) } in Z* | X*) return 1 ;; esac
}

servers() {
  for file in "$folder"/*/data/postmaster.pid "$folder"/*/pgbouncer.pid; do
    [ -r "$file" ] && read -r pid <"$file" && grep -qsF "$folder/" "/proc/$pid/cmdline" && echo "$pid"
  done
}

while run_goes_on; do sleep 0.5; done
# What they hold is thrown away, so they need not write it out.
for signal in QUIT KILL; do
  for pid in $(servers); do kill -s "$signal" "$pid" 2>/dev/null; done
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -z "$(servers)" ] && break
    sleep 0.1
  done
done
rm -rf "$folder" "/dev/shm/${folder##*/}"
