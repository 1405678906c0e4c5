import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import type { TestSetup } from "@arcada/testing/setup/test-server";

/** One HTTP request of the fuzz test; `name` identifies it in the report. */
export interface OddRequest {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/** Odd values where no contract reads them: addresses, headers, uploads, FHIR and DICOMweb searches, tickets. */
export async function createOddRequests(
  _address: string,
  { clinic, lab }: TestSetup,
  { studyId, order, patient }: Fixtures,
  values: readonly unknown[],
): Promise<OddRequest[]> {
  const texts = values.filter((one) => typeof one === "string" || typeof one === "number").map(String);
  const token = { token: clinic.token };
  const bearer = { authorization: `Bearer ${clinic.token}` };
  const provisioning = await clinic.call("interface.makeKey", {
    name: "Identity provider",
    scopes: ["members.provision"],
    days: 30,
  });
  const scim = { authorization: `Bearer ${provisioning.secret}`, "content-type": "application/scim+json" };
  return texts.flatMap((text) => {
    const value = encodeURIComponent(text.toWellFormed()).slice(0, 6000);
    const header = Buffer.from(text.replace(/[^\x20-\x7e]/g, "?"))
      .toString("latin1")
      .slice(0, 4000)
      .trim();
    const base64 = Buffer.from(text).toString("base64").slice(0, 4000);
    const get = (path: string, headers: Record<string, string> = bearer): OddRequest => ({
      name: `GET ${path}`.slice(0, 200),
      method: "GET",
      path,
      headers,
    });
    const post = (path: string, headers: Record<string, string>, body = ""): OddRequest => ({
      name: `POST ${path} ${JSON.stringify(headers)}`.slice(0, 300),
      method: "POST",
      path,
      headers,
      body,
    });
    const tus = { "tus-resumable": "1.0.0", ...token };
    const uploadHeaders = {
      ...tus,
      "upload-length": "10",
      "upload-metadata": `filename ${Buffer.from("a.stl").toString("base64")}`,
    };
    return [
      // FHIR
      ...[
        "_id",
        "status",
        "_lastUpdated",
        "authored-on",
        "_count",
        "_cursor",
        "code",
        "owner",
        "requester",
        "patient",
        "_sort",
        "_format",
        "x",
      ].map((name) => get(`/fhir/Task?${name}=${value}`)),
      ...["_id", "_lastUpdated", "identifier", "name", "name:exact", "birthdate", "gender", "phone", "address"].map(
        (name) => get(`/fhir/Patient?${name}=${value}`),
      ),
      ...["patient", "identifier", "started", "modality", "status"].map((name) =>
        get(`/fhir/ImagingStudy?${name}=${value}`),
      ),
      ...fhirKinds.map((kind) => get(`/fhir/${kind}/${value}`)),
      ...["Observation", "Condition", "DocumentReference"].map((kind) => get(`/fhir/${kind}?_id=${value}`)),
      get(`/fhir/Task?${value}=1`),
      get("/fhir/Task", { ...bearer, prefer: header }),
      // SCIM
      ...["filter", "startIndex", "count", "attributes", "excludedAttributes"].map((name) =>
        get(`/scim/v2/Users?${name}=${value}`, scim),
      ),
      get(`/scim/v2/Users?filter=${encodeURIComponent(`userName eq ${JSON.stringify(text.slice(0, 300))}`)}`, scim),
      get(`/scim/v2/Groups/${value}`, scim),
      get(`/scim/v2/Schemas/${value}`, scim),
      post("/scim/v2/Users", scim, JSON.stringify({ userName: text, displayName: text, emails: [{ value: text }] })),
      post("/scim/v2/Groups", scim, JSON.stringify({ displayName: text, members: [{ value: text }] })),
      // DICOMweb
      ...[
        "PatientName",
        "PatientID",
        "StudyDate",
        "StudyTime",
        "StudyInstanceUID",
        "ModalitiesInStudy",
        "00080020",
        "AccessionNumber",
        "limit",
        "offset",
        "includefield",
        "fuzzymatching",
        "x",
      ].map((name) => get(`/dicomweb/studies?${name}=${value}`)),
      ...["SeriesNumber", "Modality", "SeriesInstanceUID", "PerformedProcedureStepStartDate"].map((name) =>
        get(`/dicomweb/series?${name}=${value}`),
      ),
      ...["InstanceNumber", "SOPInstanceUID", "Rows", "Columns", "NumberOfFrames", "limit", "offset"].map((name) =>
        get(`/dicomweb/instances?${name}=${value}`),
      ),
      get(`/dicomweb/studies/${value}`),
      get(`/dicomweb/studies/${value}/metadata`),
      get(`/dicomweb/studies/1.2/series/${value}/metadata`),
      get(`/dicomweb/studies/1.2/series/1.3/instances/${value}`),
      get(`/dicomweb/studies/1.2/series/1.3/instances/1.4/frames/${value}`),
      get(`/dicomweb/studies/1.2/series/1.3/instances/1.4/bulkdata/${value}`),
      get(`/dicomweb/studies/1.2/rendered?quality=${value}&window=${value}&viewport=${value}`),
      get("/dicomweb/studies", { ...bearer, accept: header || "x" }),
      post(
        "/dicomweb/studies",
        { ...bearer, "content-type": `multipart/related; type="application/dicom"; boundary=${header}` },
        text,
      ),
      post(`/dicomweb/studies/${value}`, { ...bearer, "content-type": "multipart/related; boundary=x" }, text),
      // Uploads
      post("/uploads", { ...uploadHeaders, "upload-length": header }),
      post("/uploads", { ...uploadHeaders, "upload-metadata": `filename ${base64}` }),
      post("/uploads", { ...uploadHeaders, "upload-metadata": header }),
      post("/uploads", {
        ...uploadHeaders,
        "upload-metadata": `filename ${base64},filetype ${base64},${header.replace(/[ ,]/g, "")} ${base64}`,
      }),
      post("/uploads", { ...tus, "upload-defer-length": header, "upload-metadata": uploadHeaders["upload-metadata"] }),
      post("/uploads", { ...uploadHeaders, "upload-concat": header }),
      post("/uploads", { ...tus, "upload-concat": "partial", "upload-length": "1" }),
      post("/uploads", { ...tus, "upload-concat": `final;/uploads/${header}` }),
      post("/uploads", { ...tus, "upload-defer-length": "1", "upload-metadata": uploadHeaders["upload-metadata"] }),
      {
        ...post(`/uploads/${value}`, {
          ...tus,
          "upload-offset": header,
          "content-type": "application/offset+octet-stream",
        }),
        method: "PATCH",
      },
      { ...get(`/uploads/${value}`, tus), method: "HEAD" },
      { ...get(`/uploads/${value}`, tus), method: "DELETE" },
      ...["arrivals", "packages", "feedbackPictures", "workorderFiles", "consents"].map((place) => ({
        ...post(`/${place}/${value}`, {
          ...token,
          "upload-offset": header,
          "content-type": "application/offset+octet-stream",
        }),
        method: "PUT",
      })),
      // Addresses that were given for a while
      get(`/files/originals/${clinic.iid}/${value}/a.stl?e=1&s=x`, token),
      get(`/files/${value}/${clinic.iid}/${"a".repeat(64)}/${value}?e=${value}&s=${value}&t=${value}`, token),
      get(`/study/downloads/${clinic.iid}/${value}?e=${value}&h=${value}&s=${value}`, token),
      get(
        `/order/papers/${clinic.iid}/${clinic.uid}/${order.id}/${value}/${value}?e=9999999999&h=${value}&s=${value}`,
        token,
      ),
      get(`/packages/${value}/${value}`, token),
      get(`/v1/notice/stream?ago=${value}`, { token: header || "x" }),
      get(`/v1/base/provider/start?provider=${value}&redirect=${value}`, {}),
      get(`/v1/base/provider/callback?code=${value}&state=${value}&error=${value}`, {}),
      get(`/${value}`, {}),
      get(`/metrics?x=${value}`, {}),
      // Headers of calls
      get("/v1/patient/list", { token: header || "x" }),
      get("/v1/patient/list", { authorization: header || "x" }),
      get("/v1/patient/list", { ...token, "accept-language": header }),
      get("/v1/patient/list", { ...token, cookie: `sid=${value}; Admin-Token=${value}` }),
      get("/v1/share/study", { visit: header || "x", cookie: `visit=${value}` }),
      get(`/v1/patient/detail?id=${patient.id}&id=${value}&__proto__=${value}`, token),
      get(`/v1/study/detail?id=${studyId}&${value}=1`, { token: lab.token }),
      post(
        "/v1/patient/create",
        { ...token, "content-type": "application/json", "idempotency-key": header || "x" },
        JSON.stringify({ name: text, sex: "male", birthDate: "1990-01-01" }),
      ),
      post("/v1/patient/create", { ...token, "content-type": header || "x" }, JSON.stringify({ name: text })),
      post("/v1/patient/create", { ...token, "content-type": "application/json" }, text),
    ];
  });
}

const fhirKinds = [
  "Patient",
  "Practitioner",
  "Organization",
  "ImagingStudy",
  "Encounter",
  "Condition",
  "Observation",
  "DiagnosticReport",
  "DocumentReference",
  "Binary",
  "ServiceRequest",
  "Task",
];
