import type { Endpoint, EndpointParameter } from "./endpoint.ts";
import { fhirEndpoints } from "./fhir-endpoints.ts";

const tusVersion: EndpointParameter = {
  name: "tus-resumable",
  in: "header",
  says: "The version of the protocol.",
  example: "1.0.0",
  required: true,
};
const uploadId: EndpointParameter = {
  name: "id",
  in: "path",
  says: "The last part of the upload's address.",
  example: "01a2259e7396_6b0e",
  required: true,
};
const study: EndpointParameter = {
  name: "study",
  in: "path",
  says: "The Study Instance UID.",
  example: "1.2.840.113619.2.55.3.1",
  required: true,
};
const series: EndpointParameter = {
  name: "series",
  in: "path",
  says: "The Series Instance UID.",
  example: "1.2.840.113619.2.55.3.1.2",
  required: true,
};
const instance: EndpointParameter = {
  name: "instance",
  in: "path",
  says: "The SOP Instance UID.",
  example: "1.2.840.113619.2.55.3.1.2.3",
  required: true,
};
const frames: EndpointParameter = {
  name: "frames",
  in: "path",
  says: "Numbers of frames from 1 on, separated by commas.",
  example: "1,2",
  required: true,
};
const limit: EndpointParameter = {
  name: "limit",
  in: "query",
  says: "The most matches that are returned.",
  example: "50",
};
const offset: EndpointParameter = {
  name: "offset",
  in: "query",
  says: "The number of matches that are left out first.",
  example: "0",
};
const attributes: EndpointParameter = {
  name: "PatientID",
  in: "query",
  says: "Any attribute of the query's level by keyword or tag; other attributes are given in the same way.",
  example: "P0000009",
};

const uploadScopes = ["studies.write", "orders.write"] as const;
const uploads: readonly Endpoint[] = [
  {
    method: "post",
    path: "/uploads",
    id: "uploads.create",
    tag: "uploads",
    summary: "Announces a file (tus 1.0 with the extension creation); the response names its address",
    scopes: uploadScopes,
    parameters: [
      tusVersion,
      {
        name: "upload-length",
        in: "header",
        says: "The length of the file in bytes.",
        example: "1048576",
        required: true,
      },
      {
        name: "upload-metadata",
        in: "header",
        says: "`filename` and `filetype`, each with its value in Base64, separated by a comma.",
        example: "filename dXBwZXIuc3Rs,filetype bW9kZWwvc3Rs",
      },
    ],
    success: { status: 201, says: "The header `location` holds the address of the upload." },
  },
  {
    method: "head",
    path: "/uploads/{id}",
    id: "uploads.offset",
    tag: "uploads",
    summary: "Tells how many bytes have arrived, to continue after an interruption",
    scopes: uploadScopes,
    parameters: [tusVersion, uploadId],
    success: { status: 200, says: "The header `upload-offset` holds the number of bytes." },
  },
  {
    method: "patch",
    path: "/uploads/{id}",
    id: "uploads.append",
    tag: "uploads",
    summary: "Sends bytes from an offset on",
    scopes: uploadScopes,
    parameters: [
      tusVersion,
      uploadId,
      { name: "upload-offset", in: "header", says: "The offset of the first byte.", example: "0", required: true },
    ],
    sends: "application/offset+octet-stream",
    success: { status: 204, says: "The header `upload-offset` holds the number of bytes that are stored." },
  },
  {
    method: "delete",
    path: "/uploads/{id}",
    id: "uploads.remove",
    tag: "uploads",
    summary: "Gives an upload up",
    scopes: uploadScopes,
    parameters: [tusVersion, uploadId],
    success: { status: 204, says: "The bytes are deleted." },
  },
];

const dicomJson = "application/dicom+json";
const search = (path: string, id: string, summary: string, parameters: readonly EndpointParameter[]): Endpoint => ({
  method: "get",
  path: `/dicomweb${path}`,
  id: `dicomweb.${id}`,
  tag: "dicomweb",
  summary,
  scopes: ["dicomweb.read"],
  parameters: [...parameters, attributes, limit, offset],
  success: { status: 200, says: "The matches as DICOM JSON.", mediaType: dicomJson },
});
const retrieve = (
  path: string,
  id: string,
  summary: string,
  parameters: readonly EndpointParameter[],
  mediaType: string,
): Endpoint => ({
  method: "get",
  path: `/dicomweb${path}`,
  id: `dicomweb.${id}`,
  tag: "dicomweb",
  summary,
  scopes: ["dicomweb.read"],
  parameters,
  success: { status: 200, says: "What was asked for.", mediaType },
});
const store = (path: string, id: string, parameters: readonly EndpointParameter[]): Endpoint => ({
  method: "post",
  path: `/dicomweb${path}`,
  id: `dicomweb.${id}`,
  tag: "dicomweb",
  summary: "Stores objects (STOW-RS)",
  scopes: ["dicomweb.write"],
  parameters,
  sends: 'multipart/related; type="application/dicom"',
  success: { status: 200, says: "All objects are stored; 202 and 409 name those that are not.", mediaType: dicomJson },
});

const inStudy = "/studies/{study}";
const inSeries = `${inStudy}/series/{series}`;
const inInstance = `${inSeries}/instances/{instance}`;
const multipart = 'multipart/related; type="application/dicom"';
const retrievals = [
  [inStudy, "Study", [study]],
  [inSeries, "Series", [study, series]],
  [inInstance, "Instance", [study, series, instance]],
] as const;

const dicomweb: readonly Endpoint[] = [
  search("/studies", "searchStudies", "Searches studies (QIDO-RS)", []),
  search("/series", "searchSeries", "Searches series (QIDO-RS)", []),
  search("/instances", "searchInstances", "Searches instances (QIDO-RS)", []),
  search(`${inStudy}/series`, "searchSeriesOfStudy", "Searches the series of a study", [study]),
  search(`${inStudy}/instances`, "searchInstancesOfStudy", "Searches the instances of a study", [study]),
  search(`${inSeries}/instances`, "searchInstancesOfSeries", "Searches the instances of a series", [study, series]),
  ...retrievals.flatMap(([path, name, parameters]) => [
    retrieve(path, `retrieve${name}`, "Retrieves the objects (WADO-RS)", parameters, multipart),
    retrieve(`${path}/metadata`, `metadataOf${name}`, "Retrieves all attributes without pixels", parameters, dicomJson),
    retrieve(`${path}/rendered`, `rendered${name}`, "Retrieves a picture to look at", parameters, "image/jpeg"),
    retrieve(`${path}/thumbnail`, `thumbnailOf${name}`, "Retrieves a small picture", parameters, "image/jpeg"),
  ]),
  retrieve(
    `${inInstance}/frames/{frames}`,
    "retrieveFrames",
    "Retrieves frames",
    [study, series, instance, frames],
    'multipart/related; type="application/octet-stream"',
  ),
  retrieve(
    `${inInstance}/frames/{frames}/rendered`,
    "renderedFrame",
    "Retrieves a frame as a picture",
    [study, series, instance, frames],
    "image/jpeg",
  ),
  retrieve(
    `${inInstance}/frames/{frames}/thumbnail`,
    "thumbnailOfFrame",
    "Retrieves a frame as a small picture",
    [study, series, instance, frames],
    "image/jpeg",
  ),
  retrieve(
    `${inInstance}/bulkdata/{tag}`,
    "bulkData",
    "Retrieves the value of a long attribute",
    [
      study,
      series,
      instance,
      { name: "tag", in: "path", says: "The attribute's tag.", example: "00420011", required: true },
    ],
    "application/octet-stream",
  ),
  store("/studies", "store", []),
  store(inStudy, "storeInStudy", [study]),
];

/** Every endpoint that other programs use besides the calls. A test compares them with the routes of the server. */
export const otherEndpoints: readonly Endpoint[] = [...uploads, ...dicomweb, ...fhirEndpoints];
