# Goes on training the finder of teeth on an owner's own films, and tries the result on films that were held back.
#   training/run teeth-finetune FOLDER ARCHIVE PACK [STEPS]
# ARCHIVE is the unpacked archive of /engines; its folder trial/ is never trained on. PACK is the pack to begin with.
# Ends as `try-pack` does: with 0 if the new pack has passed the trial. Of the environment: VERSION, KEY, TRIAL_KEY,
# DRAWN (how many drawn films are mixed in, so that nothing is forgotten), SEED and DATE.
set -euo pipefail
. training/shared/steps.sh
[ $# -ge 3 ] || { sed -n '1,6p' "$0" >&2; exit 2; }
folder=$1 archive=$2 pack=$3 steps=${4:-1500}

mkdir -p "$folder"
"$PYTHON" training/teeth/start_from_pack.py "$pack" "$folder/start.pt" --version-file "$folder/version"
version=${VERSION:-$(cat "$folder/version")-own}
draw "$folder/films" "${DRAWN:-400}"
"$PYTHON" training/teeth/read_archive.py "$archive" "$folder"
"$PYTHON" training/teeth/train.py "$folder/mixed" "$folder/teeth.pt" --start "$folder/start.pt" --steps "$steps" --rate 4e-4 --seed "$seed" | tee "$folder/train.log"
"$PYTHON" training/teeth/evaluate.py "$folder/start.pt" "$folder/apart" --out "$folder/measured-before.json" > "$folder/measure-before.log"
"$PYTHON" training/teeth/evaluate.py "$folder/teeth.pt" "$folder/apart" --out "$folder/measured.json" > "$folder/measure.log"
"$PYTHON" training/teeth/make_pack.py "$folder" --measured "$folder/measured.json" --version "$version" --date "$date" \
  --trained-on "Films drawn by a program, then signed charts of the owner's own films. The pack stays with the owner."
build_pack "$folder"
"$PYTHON" training/teeth/print_run.py "$folder" --date "$date" --seed "$seed"
node scripts/app.mjs try-pack "$folder/arcada.teeth-$version.zip" "$archive" ${TRIAL_KEY:+--key "$TRIAL_KEY"}
