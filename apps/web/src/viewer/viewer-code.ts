/** What shows each kind of item: whoever opens a picture does not wait for what draws volumes. */
export const viewerCode = {
  volume: () => import("./ct/ct-viewer.tsx"),
  models: () => import("./model/model-stage.tsx"),
  picture: () => import("./picture/picture-viewer.tsx"),
};
