import { toneTable } from "../picture/window.ts";
import { plainWindow, type Look, type Picture, type PicturePainter } from "./picture.ts";

/** Draws by a look-up table: the picture is toned once for each change of the window, moving it costs one drawImage. */
export function cpuPainter(canvas: HTMLCanvasElement, picture: Picture): PicturePainter {
  const toned = document.createElement("canvas");
  const tone = picture.kind === "grey" ? greyTone(toned, picture) : imageTone(toned, picture);
  let last = "";
  return {
    paint: (matrix, size, look) => {
      const context = canvas.getContext("2d");
      if (!context) return;
      if (canvas.width !== size.width) canvas.width = size.width;
      if (canvas.height !== size.height) canvas.height = size.height;
      const wanted = JSON.stringify(look);
      if (wanted !== last) tone(look);
      last = wanted;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, size.width, size.height);
      context.setTransform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
      context.imageSmoothingQuality = "medium";
      context.drawImage(toned, 0, 0);
    },
    // A canvas without area gives its memory back at once, not at the next collection.
    dispose: () => {
      toned.width = toned.height = 0;
    },
  };
}

function greyTone(toned: HTMLCanvasElement, picture: Picture & { kind: "grey" }): (look: Look) => void {
  toned.width = picture.columns;
  toned.height = picture.rows;
  const context = toned.getContext("2d");
  const image = new ImageData(picture.columns, picture.rows);
  const pixels = new Uint32Array(image.data.buffer);
  const { data } = picture;
  return (look) => {
    const table = colourTable(look);
    for (let at = 0; at < pixels.length; at++) pixels[at] = table[(data[at] ?? 0) & 0xffff] ?? 0;
    context?.putImageData(image, 0, 0);
  };

  /** RGBA words by the 16 bits of a grey value. */
  function colourTable({ window, inverted }: Look): Uint32Array {
    const [low, high] = data instanceof Int16Array ? [-32768, 32767] : [0, 65535];
    const bytes = toneTable({ ...window, inverted }, low, high);
    const table = new Uint32Array(65536);
    for (let value = low; value <= high; value++)
      table[value & 0xffff] = (0xff000000 | ((bytes[value - low] ?? 0) * 0x010101)) >>> 0;
    return table;
  }
}

function imageTone(toned: HTMLCanvasElement, { bitmap }: Picture & { kind: "image" }): (look: Look) => void {
  toned.width = bitmap.width;
  toned.height = bitmap.height;
  const context = toned.getContext("2d", { willReadFrequently: true });
  return ({ window, inverted }) => {
    if (!context) return;
    context.clearRect(0, 0, bitmap.width, bitmap.height);
    context.drawImage(bitmap, 0, 0);
    if (window.center === plainWindow.center && window.width === plainWindow.width && !inverted) return;
    const table = toneTable({ ...window, inverted }, 0, 255);
    const image = context.getImageData(0, 0, bitmap.width, bitmap.height);
    for (let at = 0; at < image.data.length; at++) if (at % 4 !== 3) image.data[at] = table[image.data[at] ?? 0] ?? 0;
    context.putImageData(image, 0, 0);
  };
}
