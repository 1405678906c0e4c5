import {
  findCrossSection,
  findFirstShown,
  initialCrossSectionSettings,
  initialPanoramaSettings,
  type ArchView,
} from "@arcada/imaging/arch/arch-display-settings";
import { resampleSlabImage, type ArchImages } from "@arcada/imaging/arch/arch-images";
import { countCrossSections, createCrossSection, getCrossSectionPosition } from "@arcada/imaging/arch/cross-section";
import type { CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { renderCrossSectionImage, renderCurvedSurfaceImage, type SlabView } from "@arcada/imaging/arch/slab-image";
import type { Size } from "@arcada/imaging/view/image-view";
import { getMiddleVoxelPoint } from "@arcada/imaging/volume/volume-geometry";
import type { Volume, VolumeInfo } from "@arcada/imaging/volume/volume";
import { fitCrossSection } from "../ct-core/cross-section-grid.ts";
import { fitPanorama } from "../ct/arch/panorama/panorama-space.ts";

/** The sizes of viewports in CSS pixels. */
export interface ArchViewportSizes {
  panorama: Size | null;
  crossSections: readonly Size[];
}

/** The views with which the viewports of an arch begin. */
export interface ArchViews {
  panorama: SlabView | null;
  /** With the number of each cross-section. */
  crossSections: readonly { number: number; view: SlabView }[];
}

/** Values of the volume, `[row][column]`. */
export interface ReformattedImage extends Size {
  values: Int16Array<ArrayBuffer>;
}

/** An image for each viewport. */
export interface ArchViewportImages {
  panorama: ReformattedImage | null;
  crossSections: readonly ReformattedImage[];
}

/** Returns the views with which the viewer begins in viewports of these sizes. */
export function chooseArchViews(
  path: CurvedSurface,
  whole: VolumeInfo,
  preview: VolumeInfo,
  { panorama, crossSections }: ArchViewportSizes,
): ArchViews {
  const { spacing } = initialCrossSectionSettings;
  const count = countCrossSections(path, spacing);
  const middle = findCrossSection(path, spacing, getMiddleVoxelPoint(whole));
  const first = findFirstShown(middle, crossSections.length, count);
  return {
    panorama:
      panorama && buildSlabView(panorama, fitPanorama(path, whole, panorama), initialPanoramaSettings.slab, preview),
    crossSections: crossSections.slice(0, count).map((cell, at) => ({
      number: first + at,
      view: buildSlabView(cell, fitCrossSection(cell), initialCrossSectionSettings.slab, preview),
    })),
  };
}

/** Renders the views from a volume of few voxels; `path`: with the bend of the panorama. */
export const renderArchViews = (volume: Volume, path: CurvedSurface, views: ArchViews): ArchViewportImages => ({
  panorama: views.panorama && toImage(views.panorama, renderCurvedSurfaceImage(volume, path, views.panorama)),
  crossSections: views.crossSections.map(({ number, view }) => {
    const position = getCrossSectionPosition(initialCrossSectionSettings.spacing, number);
    return toImage(view, renderCrossSectionImage(volume, createCrossSection(path, position), view));
  }),
});

/** Takes the views out of images that were rendered before; null if a cross-section is not among them. */
export function resampleArchViews(
  { panorama, crossSections }: ArchImages,
  views: ArchViews,
): ArchViewportImages | null {
  const sections: ReformattedImage[] = [];
  for (const { number, view } of views.crossSections) {
    const image = crossSections.images[number - crossSections.first];
    if (!image) return null;
    sections.push(toImage(view, resampleSlabImage(image, view)));
  }
  return {
    panorama: views.panorama && toImage(views.panorama, resampleSlabImage(panorama, views.panorama)),
    crossSections: sections,
  };
}

/**
 * Returns how many CSS pixels a pixel of the image covers: a preview's voxel gets about two of them, and more would
 * show nothing finer.
 */
const chooseStep = (scale: number, { spacing }: VolumeInfo): number =>
  Math.min(4, Math.max(2, Math.round((scale * Math.min(...spacing)) / 2)));

function buildSlabView(viewport: Size, { middle, scale }: ArchView, slab: number, info: VolumeInfo): SlabView {
  const step = chooseStep(scale, info);
  const [columns, rows] = [Math.ceil(viewport.width / step), Math.ceil(viewport.height / step)];
  return { columns, rows, middle, pixel: step / scale, slab };
}

const toImage = ({ columns, rows }: SlabView, values: Int16Array<ArrayBuffer>): ReformattedImage => ({
  width: columns,
  height: rows,
  values,
});
