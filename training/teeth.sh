# From an empty folder to the pack of the finder of teeth: draws films, trains, measures, exports, calibrates, packs.
#   training/run teeth FOLDER [FILMS] [STEPS] [IMAGES]
# FOLDER keeps films, logs, weights and the pack, arcada.teeth-VERSION.zip. IMAGES is the folder of the real films of
# development-set.json and test-set.json, which calibrate the pack; figures of the second stand on its card. Without it,
# drawn films that were held back calibrate the pack. Of the environment: VERSION, SEED, KEY (a private key of
# `package-key`, which signs the pack), HELD_BACK (their number) and DATE.
set -euo pipefail
. training/shared/steps.sh
[ $# -ge 1 ] || { sed -n '1,6p' "$0" >&2; exit 2; }
folder=$1 films=${2:-6000} steps=${3:-6000} images=${4:-}
version=${VERSION:-0.1.0}

mkdir -p "$folder"
draw "$folder/films" "$films"
# Numbers that no training reaches.
draw "$folder/held-back" "${HELD_BACK:-100}" 900000
"$PYTHON" training/teeth/train.py "$folder/films" "$folder/teeth.pt" --steps "$steps" --seed "$seed" | tee "$folder/train.log"
"$PYTHON" training/teeth/evaluate.py "$folder/teeth.pt" "$folder/held-back" --out "$folder/measured-drawn.json" > "$folder/measure-drawn.log"
measured=measured-drawn.json
if [ -n "$images" ]; then
  "$PYTHON" training/teeth/evaluate.py "$folder/teeth.pt" training/teeth/development-set.json "$images" --out "$folder/measured-real.json" > "$folder/measure-real.log"
  "$PYTHON" training/teeth/evaluate.py "$folder/teeth.pt" training/teeth/test-set.json "$images" --out "$folder/measured-test.json" > "$folder/measure-test.log"
  measured="measured-real.json measured-test.json"
fi
"$PYTHON" training/teeth/make_pack.py "$folder" --measured $(printf "$folder/%s " $measured) --version "$version" --date "$date"
build_pack "$folder"
"$PYTHON" training/teeth/print_run.py "$folder" --date "$date" --seed "$seed"
