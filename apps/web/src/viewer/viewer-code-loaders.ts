/** The code of the viewer for each kind of item: a user who opens an image does not wait for the volume renderer. */
export const viewerLoaders = {
  volume: () => import("./ct/ct-viewer.tsx"),
  models: () => import("./model/model-viewer.tsx"),
  picture: () => import("./image/image-viewer.tsx"),
};
