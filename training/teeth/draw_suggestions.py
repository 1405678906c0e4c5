"""Draws what a pack suggests on real films, for people to look at one by one."""
import argparse
import glob
import os
import sys

from PIL import Image, ImageDraw, ImageFont

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from films import CONDITIONS
from predict import certainty, load_finder, predict
from shared.files import read_image

# By quadrant, so that a number on the wrong side is seen at once.
COLOURS = {1: "#ff5f5f", 2: "#ffd34d", 3: "#62d96b", 4: "#5fa8ff", 5: "#ff9ad5", 6: "#ffb38a", 7: "#a7f0c0", 8: "#b9a6ff"}
SHEET = 1400


def draw(path, teeth, least):
    image = Image.open(path).convert("RGB")
    zoom = SHEET / image.width
    image = image.resize((SHEET, round(image.height * zoom)))
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default()
    for tooth in teeth:
        box = [float(v) * zoom for v in tooth["box"]]
        sure = tooth["confidence"] >= least
        pen.rectangle(box, outline=COLOURS[tooth["fdi"] // 10], width=3 if sure else 1)
        said = f"{tooth['fdi']}{'' if sure else '?'} {tooth['confidence']:.2f}"
        if tooth["condition"] != "sound":
            said += f" {tooth['condition']}"
        pen.text((box[0] + 3, box[1] + 3 if tooth["fdi"] // 10 in (1, 2, 5, 6) else box[3] - 14), said, fill="white", font=font)
    pen.text((6, 6), f"{os.path.basename(path)}: {len(teeth)} suggestions, certainty {certainty(teeth):.2f}", fill="white", font=font)
    return image


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("images", help="a folder of films")
    options.add_argument("out")
    options.add_argument("--count", type=int, default=40)
    options.add_argument("--least", type=float, default=0.9, help="less certain numbers are drawn thin, with a question mark")
    chosen = options.parse_args()
    finder = load_finder(chosen.weights)
    os.makedirs(chosen.out, exist_ok=True)
    paths = sorted(p for kind in ("*.jpg", "*.png") for p in glob.glob(os.path.join(chosen.images, kind)))
    step = max(1, len(paths) // chosen.count)
    for path in paths[::step][: chosen.count]:
        teeth = predict(finder, read_image(path), CONDITIONS)
        draw(path, teeth, chosen.least).save(os.path.join(chosen.out, os.path.basename(path).rsplit(".", 1)[0] + ".png"))


if __name__ == "__main__":
    main()
