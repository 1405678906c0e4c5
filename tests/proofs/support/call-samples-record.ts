import { implantLibrary, planContent } from "@arcada/testing/fixtures/implant-plan";
import { withoutRecord, unknownId, type CallSample } from "./call-sample.ts";

/** Inputs for the calls of a patient's record, visits and consents. */
export const recordCallSamples = {
  "patient.archive": { object: "patient", input: ({ patient }) => ({ id: patient.id }) },
  "patient.erasure": { object: "patient", input: ({ patient }) => ({ id: patient.id }) },
  "patient.erase": { object: "patient", input: ({ patient }) => ({ id: patient.id, number: "nobody's" }) },
  "trail.looks": { object: "patient", input: ({ patient }) => ({ id: patient.id }) },
  "visit.list": { object: "patient", input: ({ patient }) => ({ patientId: patient.id }) },
  "visit.create": {
    object: "patient",
    input: ({ patient }, { clinic }) => ({
      patientId: patient.id,
      at: "2026-01-01T09:00:00Z",
      dentistId: clinic.uid,
      content: { complaint: "x" },
    }),
  },
  "visit.update": withoutRecord({
    id: unknownId,
    version: 1,
    at: "2026-01-01T09:00:00Z",
    dentistId: unknownId,
    content: { complaint: "x" },
    keep: [],
  }),
  "visit.versions": withoutRecord({ id: unknownId }),
  "visit.remove": withoutRecord({ id: unknownId, version: 1, reason: "x" }),
  "visit.restore": withoutRecord({ id: unknownId }),
  "consent.list": { object: "patient", input: ({ patient }) => ({ patientId: patient.id }) },
  "consent.give": {
    object: "patient",
    input: ({ patient }) => ({
      patientId: patient.id,
      kind: "treatment",
      how: "screen",
      givenBy: "x",
      givenFor: "self",
      givenAt: "2026-01-01T09:00:00Z",
    }),
  },
  "consent.withdraw": {
    object: "patient",
    input: ({ patient }) => ({ patientId: patient.id, kind: "treatment", by: "x" }),
  },
  "implant.libraries": withoutRecord(),
  "implant.importLibrary": withoutRecord({ library: implantLibrary }),
  "implant.removeLibrary": withoutRecord({ id: unknownId }),
  "implant.documents": { object: "study", input: ({ studyId }) => ({ studyId }) },
  "implant.saveReport": {
    object: "study",
    input: ({ studyId }) => ({ studyId, version: 0, content: planContent, pictures: [], lang: "en" }),
  },
  "implant.saveGuide": {
    object: "study",
    input: ({ studyId }) => ({
      studyId,
      version: 0,
      upload: unknownId,
      settings: { thickness: 2, gap: 0.1, sleeves: [1], scan: "upper.stl" },
    }),
  },
  "implant.attach": { object: "study", input: ({ studyId }) => ({ studyId }) },
} satisfies Record<string, CallSample>;
