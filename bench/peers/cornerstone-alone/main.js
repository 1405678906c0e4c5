// Three planes of one series by Cornerstone3D and nothing else: `?root=…&study=…&series=…&token=…`.
import { Enums, RenderingEngine, init, setVolumesForViewports, volumeLoader } from "@cornerstonejs/core";
import { init as initLoader, wadors } from "@cornerstonejs/dicom-image-loader";

const asked = new URLSearchParams(location.search);
const headers = { authorization: `Bearer ${asked.get("token")}` };
const at = `${asked.get("root")}/studies/${asked.get("study")}/series/${asked.get("series")}`;

await init();
initLoader({ maxWebWorkers: 2, beforeSend: () => headers });
const metadata = await (
  await fetch(`${at}/metadata`, { headers: { ...headers, accept: "application/dicom+json" } })
).json();
const imageIds = metadata.map((instance) => {
  const imageId = `wadors:${at}/instances/${instance["00080018"].Value[0]}/frames/1`;
  wadors.metaDataManager.add(imageId, instance);
  return imageId;
});
const engine = new RenderingEngine("alone");
const planes = ["axial", "coronal", "sagittal"];
engine.setViewports(
  planes.map((name) => ({
    viewportId: name,
    type: Enums.ViewportType.ORTHOGRAPHIC,
    element: document.getElementById(name),
    defaultOptions: { orientation: Enums.OrientationAxis[name.toUpperCase()] },
  })),
);
const volumeId = "cornerstoneStreamingImageVolume:alone";
const volume = await volumeLoader.createAndCacheVolume(volumeId, { imageIds });
volume.load();
await setVolumesForViewports(engine, [{ volumeId }], planes);
engine.render();
