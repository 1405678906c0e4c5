#!/bin/sh
# Runs the container image that ARCADA_IMAGE names, with buildah and without a daemon: as its own user, on the data folder
# and port of the test, and with the network and the process ids of this machine.
set -eu
container=$(buildah --storage-driver vfs from --pull=never "$ARCADA_IMAGE")
# The test may have made the data folder as another user.
chown -R 10001:10001 "$DATA_DIR"

set -- --env DATA_DIR=/data --env HOST=127.0.0.1
# The container gets the settings that the test chose and nothing else of this machine.
for name in PORT ARCADA_DEMO ARCADA_ROLE LOG_LEVEL PUBLIC_URL TRUST_PROXY DATABASE_URL SECRET_KEY SMTP_URL \
  PASSWORD_MIN_LENGTH LOGIN_STEP_UP IDLE_MINUTES ANALYSIS_AUTO ENGINE_UNSIGNED HEALTH_PORT; do
  eval "value=\${$name-}"
  [ -z "$value" ] || set -- "$@" --env "$name=$value"
done

buildah --storage-driver vfs run --isolation chroot --user 10001:10001 --volume "$DATA_DIR:/data" "$@" "$container" \
  -- tini -- arcada serve &
running=$!
stopping=
# buildah kills what it runs when it is asked to stop, so the signal goes to the init process of the container itself.
stop() {
  stopping=yes
  process=$running
  while process=$(pgrep -o -P "$process"); do
    if [ "$(cat "/proc/$process/comm")" = tini ]; then kill -TERM "$process"; fi
  done
}
trap stop TERM INT
code=0
wait "$running" || code=$?
# The signal ended this wait; the next one is for the orderly end of the server.
if [ "$stopping" ]; then
  code=0
  wait "$running" || code=$?
fi
buildah --storage-driver vfs rm "$container" > /dev/null
exit "$code"
