import { toneTable } from "../picture/window.ts";
import { plainWindow, type Blurred, type Look, type Picture, type PicturePainter } from "./picture.ts";

/**
 * Draws by a look-up table: the image is toned once for each change of the display settings, moving it costs one
 * drawImage.
 */
export function cpuPainter(canvas: HTMLCanvasElement, picture: Picture): PicturePainter {
  const toned = document.createElement("canvas");
  const toner = picture.kind === "grey" ? greyToner(toned, picture) : imageToner(toned, picture);
  let last = "";
  return {
    paint: (matrix, size, look, lens = null) => {
      const context = canvas.getContext("2d");
      if (!context) return;
      if (canvas.width !== size.width) canvas.width = size.width;
      if (canvas.height !== size.height) canvas.height = size.height;
      const wanted = JSON.stringify(look);
      if (wanted !== last) toner.tone(look);
      last = wanted;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, size.width, size.height);
      context.imageSmoothingQuality = "medium";
      const draw = ({ a, b, c, d, e, f }: typeof matrix) => {
        context.setTransform(a, b, c, d, e, f);
        context.drawImage(toned, 0, 0);
      };
      draw(matrix);
      if (!lens) return;
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.beginPath();
      context.arc(...lens.at, lens.radius, 0, 2 * Math.PI);
      context.clip();
      context.clearRect(0, 0, size.width, size.height);
      draw(lens.matrix);
      context.restore();
    },
    takeBlurred: (blurred) => {
      toner.takeBlurred(blurred);
      last = "";
    },
    // A canvas without area releases its memory at once, not at the next collection.
    dispose: () => {
      toned.width = toned.height = 0;
    },
  };
}

interface Toner {
  tone: (look: Look) => void;
  takeBlurred: (blurred: Blurred) => void;
}

function greyToner(toned: HTMLCanvasElement, { data, columns, rows }: Picture & { kind: "grey" }): Toner {
  toned.width = columns;
  toned.height = rows;
  const context = toned.getContext("2d");
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const [low, high] = data instanceof Int16Array ? [-32768, 32767] : [0, 65535];
  let soft: Int16Array | Uint16Array | null = null;
  return {
    tone: (look) => {
      const table = colourTable(look);
      const { sharpen = 0 } = look;
      if (soft && sharpen > 0)
        for (let at = 0; at < pixels.length; at++) {
          const value = data[at] ?? 0;
          const sharp = Math.round(value + sharpen * (value - (soft[at] ?? 0)));
          pixels[at] = table[(sharp < low ? low : sharp > high ? high : sharp) & 0xffff] ?? 0;
        }
      else for (let at = 0; at < pixels.length; at++) pixels[at] = table[(data[at] ?? 0) & 0xffff] ?? 0;
      context?.putImageData(image, 0, 0);
    },
    takeBlurred: (blurred) => {
      if (blurred.kind === "grey") soft = blurred.data;
    },
  };

  /** RGBA words by the 16 bits of a grey value. */
  function colourTable({ window, ...look }: Look): Uint32Array {
    const bytes = toneTable({ ...window, ...look }, low, high);
    const table = new Uint32Array(65536);
    for (let value = low; value <= high; value++)
      table[value & 0xffff] = (0xff000000 | ((bytes[value - low] ?? 0) * 0x010101)) >>> 0;
    return table;
  }
}

function imageToner(toned: HTMLCanvasElement, { bitmap }: Picture & { kind: "image" }): Toner {
  toned.width = bitmap.width;
  toned.height = bitmap.height;
  const context = toned.getContext("2d", { willReadFrequently: true });
  let soft: ImageBitmap | null = null;
  const read = (from: ImageBitmap): Uint8ClampedArray => {
    context?.clearRect(0, 0, from.width, from.height);
    context?.drawImage(from, 0, 0);
    return context?.getImageData(0, 0, from.width, from.height).data ?? new Uint8ClampedArray();
  };
  return {
    tone: ({ window, inverted, gamma = 1, sharpen = 0 }) => {
      if (!context) return;
      const added = soft && sharpen > 0 ? read(soft) : null;
      context.clearRect(0, 0, bitmap.width, bitmap.height);
      context.drawImage(bitmap, 0, 0);
      const isPlain = window.center === plainWindow.center && window.width === plainWindow.width;
      if (isPlain && !inverted && gamma === 1 && !added) return;
      const table = toneTable({ ...window, inverted, gamma }, 0, 255);
      const image = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const { data } = image;
      for (let at = 0; at < data.length; at++) {
        if (at % 4 === 3) continue;
        const value = data[at] ?? 0;
        const sharp = added ? Math.round(value + sharpen * (value - (added[at] ?? 0))) : value;
        data[at] = table[sharp < 0 ? 0 : sharp > 255 ? 255 : sharp] ?? 0;
      }
      context.putImageData(image, 0, 0);
    },
    takeBlurred: (blurred) => {
      if (blurred.kind === "image") soft = blurred.bitmap;
    },
  };
}
