import { buildToneTable } from "../image/voi-window.ts";
import {
  identityWindow,
  type BlurredImage,
  type DisplaySettings,
  type RasterImage,
  type ImageRenderer,
} from "./raster-image.ts";

/**
 * Draws by a look-up table: the image is toned once for each change of the display settings; moving it costs one
 * drawImage.
 */
export function createCpuImageRenderer(canvas: HTMLCanvasElement, image: RasterImage): ImageRenderer {
  const tonedCanvas = document.createElement("canvas");
  const toner = image.kind === "grey" ? createGreyToner(tonedCanvas, image) : createColourToner(tonedCanvas, image);
  let lastKey = "";
  return {
    render: (matrix, size, displaySettings, lens = null) => {
      const context = canvas.getContext("2d");
      if (!context) return;
      if (canvas.width !== size.width) canvas.width = size.width;
      if (canvas.height !== size.height) canvas.height = size.height;
      const key = JSON.stringify(displaySettings);
      if (key !== lastKey) toner.tone(displaySettings);
      lastKey = key;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, size.width, size.height);
      context.imageSmoothingQuality = "medium";
      const draw = ({ a, b, c, d, e, f }: typeof matrix) => {
        context.setTransform(a, b, c, d, e, f);
        context.drawImage(tonedCanvas, 0, 0);
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
    setBlurred: (blurred) => {
      toner.takeBlurred(blurred);
      lastKey = "";
    },
    // A canvas without area releases its memory at once, not at the next collection.
    dispose: () => {
      tonedCanvas.width = tonedCanvas.height = 0;
    },
  };
}

interface ImageToner {
  tone: (displaySettings: DisplaySettings) => void;
  takeBlurred: (blurred: BlurredImage) => void;
}

function createGreyToner(
  tonedCanvas: HTMLCanvasElement,
  { data, columns, rows }: RasterImage & { kind: "grey" },
): ImageToner {
  tonedCanvas.width = columns;
  tonedCanvas.height = rows;
  const context = tonedCanvas.getContext("2d");
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const [low, high] = data instanceof Int16Array ? [-32768, 32767] : [0, 65535];
  let blurredData: Int16Array | Uint16Array | null = null;
  return {
    tone: (displaySettings) => {
      const table = createColourTable(displaySettings);
      const { sharpen = 0 } = displaySettings;
      if (blurredData && sharpen > 0)
        for (let at = 0; at < pixels.length; at++) {
          const value = data[at] ?? 0;
          const sharp = Math.round(value + sharpen * (value - (blurredData[at] ?? 0)));
          pixels[at] = table[(sharp < low ? low : sharp > high ? high : sharp) & 0xffff] ?? 0;
        }
      else for (let at = 0; at < pixels.length; at++) pixels[at] = table[(data[at] ?? 0) & 0xffff] ?? 0;
      context?.putImageData(image, 0, 0);
    },
    takeBlurred: (blurred) => {
      if (blurred.kind === "grey") blurredData = blurred.data;
    },
  };

  /** RGBA words by the 16 bits of a grey value. */
  function createColourTable({ window, ...displaySettings }: DisplaySettings): Uint32Array {
    const bytes = buildToneTable({ ...window, ...displaySettings }, low, high);
    const table = new Uint32Array(65536);
    for (let value = low; value <= high; value++)
      table[value & 0xffff] = (0xff000000 | ((bytes[value - low] ?? 0) * 0x010101)) >>> 0;
    return table;
  }
}

function createColourToner(tonedCanvas: HTMLCanvasElement, { bitmap }: RasterImage & { kind: "image" }): ImageToner {
  tonedCanvas.width = bitmap.width;
  tonedCanvas.height = bitmap.height;
  const context = tonedCanvas.getContext("2d", { willReadFrequently: true });
  let blurredData: ImageBitmap | null = null;
  const read = (from: ImageBitmap): Uint8ClampedArray => {
    context?.clearRect(0, 0, from.width, from.height);
    context?.drawImage(from, 0, 0);
    return context?.getImageData(0, 0, from.width, from.height).data ?? new Uint8ClampedArray();
  };
  return {
    tone: ({ window, inverted, gamma = 1, sharpen = 0 }) => {
      if (!context) return;
      const added = blurredData && sharpen > 0 ? read(blurredData) : null;
      context.clearRect(0, 0, bitmap.width, bitmap.height);
      context.drawImage(bitmap, 0, 0);
      const isPlain = window.center === identityWindow.center && window.width === identityWindow.width;
      if (isPlain && !inverted && gamma === 1 && !added) return;
      const table = buildToneTable({ ...window, inverted, gamma }, 0, 255);
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
      if (blurred.kind === "image") blurredData = blurred.bitmap;
    },
  };
}
