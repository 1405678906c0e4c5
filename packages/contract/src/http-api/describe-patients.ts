import { exampleId, exampleIds } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

/** Patients, their tooth chart, visits and consents. In `patient.update` an omitted detail stays as it is. */
export const patientProperties: PropertyWords = {
  patientId: { says: "The patient.", example: exampleId },
  "patient:id": { says: "The patient.", example: exampleId },
  "patient.names:ids": {
    says: "Up to 20 patients, with commas between. Those whom the caller may not see are left out of the answer.",
    example: exampleIds.join(","),
  },
  "patient:name": {
    says: "The patient's name, family name and given name as the clinic writes them.",
    example: "Anna Miller",
  },
  "patient:sex": { says: "The patient's sex.", example: "female" },
  "patient.list:sex": { says: "Only patients of this sex.", example: "female" },
  "patient.export:sex": { says: "Only patients of this sex.", example: "female" },
  "patient:birthDate": {
    says: "The birth date as a calendar day (YYYY-MM-DD). Null: unknown, then `age` is required.",
    example: "1991-06-03",
  },
  "patient:age": {
    says: "The age in whole years, if the birth date is unknown; ignored with a birth date. The server keeps it with the day on which it was given, so that the patient grows older.",
    example: 35,
  },
  "patient:ageFrom": { says: "Youngest age in whole years, included.", example: 18 },
  "patient:ageTo": { says: "Oldest age in whole years, included.", example: 65 },
  "patient:visitFrom": {
    says: "First day of the latest visit (YYYY-MM-DD), in the organisation's time zone.",
    example: "2026-11-01",
  },
  "patient:visitTo": {
    says: "Last day of the latest visit (YYYY-MM-DD), included, in the organisation's time zone.",
    example: "2026-11-30",
  },
  "patient:ct": { says: "`yes`: only patients with a CT; `no`: only those without one.", example: "yes" },
  "patient:report": {
    says: "`yes`: only patients with a health report that is not withdrawn; `no`: only those without one.",
    example: "no",
  },
  "patient:phone": { says: "The patient's mobile number. Null or empty: none.", example: "+49 151 2345678" },
  "patient:fixedLine": { says: "The landline number. Null or empty: none.", example: "+49 40 1234567" },
  "patient:email": { says: "The e-mail address. Null or empty: none.", example: "anna.miller@example.com" },
  "patient:mailAddress": { says: "The postal address. Null or empty: none.", example: "Harbour Street 12, Hamburg" },
  "patient:idNumber": { says: "The number of the identity card. Null or empty: none.", example: "L01X00T47" },
  "patient:passport": { says: "The passport number. Null or empty: none.", example: "C01X00T47" },
  "patient:drivingLicence": { says: "The number of the driving licence. Null or empty: none.", example: "B072RRE2I55" },
  "patient:insuranceNumber": { says: "The health insurance number. Null or empty: none.", example: "A123456780" },
  "patient:certificateNumber": {
    says: "The number of another identity document. Null or empty: none.",
    example: "X-5521",
  },
  "patient:entryNumber": {
    says: "The medical record number: the patient's number in the clinic's own books or practice software. Null or empty: none.",
    example: "K-20481",
  },
  "patient:inspectionNumber": { says: "The number of the examination. Null or empty: none.", example: "E-1207" },
  "patient:inspectedAt": {
    says: "The time of the examination, as the clinic wrote it down: local time without a zone. Null: none.",
    example: "2026-11-29T09:30",
  },
  "patient:allergies": { says: "Known allergies. Null or empty: nothing written down.", example: "Penicillin" },
  "patient:pastHistory": {
    says: "Earlier illnesses and operations. Null or empty: nothing written down.",
    example: "Asthma",
  },
  "patient:diabetes": { says: "States whether the patient has diabetes. Null: not asked.", example: false },
  "patient:hypertension": {
    says: "States whether the patient has high blood pressure. Null: not asked.",
    example: false,
  },
  "patient:familyGenetics": {
    says: "Illnesses in the family and genetic history. Null or empty: nothing written down.",
    example: "Periodontitis of the mother",
  },
  "patient:habits": { says: "Oral habits of the patient. Empty: none.", example: ["nightGrinding"] },
  "patient:remark": { says: "Notes about the patient. Null or empty: none.", example: "Prefers mornings" },
  "patient:evenIfDuplicate": {
    says: "`true`: saves the record although one of the same person may exist. Needed after the refusal `patientDuplicate`, which names the candidates.",
    example: false,
  },
  "patient.timeline:kinds": {
    says: "The kinds of events wanted, with commas between. If omitted or empty: all.",
    example: "study,order,visit",
  },
  "patient.erase:number": {
    says: "The patient's number, as a confirmation: it must be the one of the record.",
    example: "P000123",
  },
  "patient.erase:reason": {
    says: "The reason why the record is erased. Required before its retention period has ended. Null: none.",
    example: "Asked for by the patient in writing",
  },
  "patient:keepId": { says: "The record that stays.", example: exampleIds[0]! },
  "patient:otherId": { says: "The record that becomes part of the one that stays.", example: exampleIds[1]! },
  "patient:keepVersion": { says: "The `version` of the record that stays as the caller read it last.", example: 3 },
  "patient:otherVersion": { says: "The `version` of the other record as the caller read it last.", example: 1 },
  "patient:choices": {
    says: "The record whose value counts, by field: `kept`, `other`, or `both` for long texts and habits. If a field is not named: long texts and habits are joined, a known disease stays known, and everything else is the kept record's value, or the other's if the kept one has none.",
    example: { phone: "other", allergies: "both" },
  },
  "chart.detail:version": { says: "A past version of the tooth chart. If omitted: the newest.", example: 2 },
  "chart:version": {
    says: "The chart's `version` as the caller read it last; 0 if nobody has written anything yet. If somebody has changed the chart since, the call is refused.",
    example: 0,
  },
  "chart.restore:from": { says: "The version whose content becomes the new version.", example: 2 },
  "chart:teeth": { says: "The teeth to write, each once. Teeth that are not named stay as they are." },
  fdi: { says: "The tooth's number in FDI notation (ISO 3950): 11 to 48, milk teeth 51 to 85.", example: 36 },
  "chart:presence": {
    says: "The presence of the tooth. `unknown`: nobody has assessed it.",
    example: "present",
  },
  "chart:teeth.crown": {
    says: "State of the crown by WHO's code: 0 sound, 1 caries, 2 filled with caries, 3 filled, 6 sealed, 7 abutment or crown. Null: not assessed, or no crown is there.",
    example: 0,
  },
  "chart:teeth.findings": {
    says: "Everything that is found at the tooth. Findings that are not named are removed.",
  },
  "chart:findings.id": {
    says: "An existing finding of the tooth, which keeps its author, its time and the suggestion that it came from. Null: a new finding.",
    example: null,
  },
  "chart:code": { says: "The finding.", example: "caries" },
  surfaces: {
    says: "The surfaces of the tooth that are affected, for findings that have surfaces. Empty: not stated.",
    example: ["occlusal"],
  },
  severity: {
    says: "Depth of caries, or progress of another finding that has degrees. Null: not stated.",
    example: "initial",
  },
  "chart:remark": { says: "Words about the finding. Null: none.", example: "Observe until spring" },
  "chart:evidence": {
    says: "The place in an image where the finding is visible. Null: none, or that of the existing finding.",
  },
  "chart:evidence.studyId": { says: "The study of the image.", example: exampleId },
  "chart:evidence.instanceId": { says: "The image.", example: exampleId },
  "chart:box": { says: "A box around the finding, in pixels of the image. Null: the whole image." },
  "chart:box.left": { says: "Left edge in pixels, from the left of the image.", example: 812 },
  "chart:box.top": { says: "Upper edge in pixels, from the top of the image.", example: 460 },
  "chart:box.right": { says: "Right edge in pixels, from the left of the image.", example: 874 },
  "chart:box.bottom": { says: "Lower edge in pixels, from the top of the image.", example: 541 },
  "chart:confirmed": {
    says: "`true`: the dentist who saves vouches for the state of the tooth; from others it only keeps an earlier confirmation. Reports count confirmed teeth alone.",
    example: true,
  },
  "chart:decisions": { says: "Decisions on suggestions of engines: all are taken, or none." },
  "chart:decisions.action": {
    says: "`accept` writes the suggestion into the chart as it is, `edit` writes `finding` in its place, `renumber` writes a suggested tooth under the number `fdi`, `reject` writes nothing.",
    example: "accept",
  },
  "chart:observationId": { says: "The suggestion: an observation of an analysis.", example: exampleId },
  "chart:decisions.finding": { says: "The finding of the dentist, in place of the suggestion." },
  "chart:decisions.reason": {
    says: "The reason why the suggestion is wrong. Null: not stated.",
    example: "Overlapping contacts",
  },
  "visit:which": { says: "`living`: the patient's visits; `removed`: those in the recycle bin.", example: "living" },
  "visit:id": { says: "The visit.", example: exampleId },
  "visit:at": {
    says: "The time of the visit (ISO 8601 with time zone), at most 24 hours ahead of now.",
    example: "2026-11-20T09:30:00+01:00",
  },
  "visit:dentistId": { says: "The dentist who treated the patient: a member of the clinic.", example: exampleId },
  "visit:content": { says: "The content of the visit. At least one text or one tooth is required." },
  "visit:complaint": { says: "Chief complaint.", example: "Pain at the lower left when chewing" },
  "visit:illness": { says: "History of the present illness.", example: "For three days, worse at night" },
  "visit:content.findings": { says: "Findings of the examination.", example: "36: deep caries, percussion negative" },
  "visit:diagnosis": { says: "Diagnosis.", example: "Caries 36" },
  "visit:treatment": { says: "Treatment at this visit.", example: "Filling 36, composite" },
  "visit:advice": { says: "Advice to the patient.", example: "Check in six months" },
  "visit:content.marks": { says: "Teeth that the visit mentions, each once." },
  "visit:content.marks.remark": { says: "Words about the tooth.", example: "Sensitive to cold" },
  "visit:uploads": { says: "Finished uploads that become attachments of the visit.", example: exampleIds },
  "visit:keep": {
    says: "The attachments that stay. Those that are not named are removed from the visit.",
    example: exampleIds,
  },
  "visit:reason": { says: "The reason why the visit is removed.", example: "Entered for the wrong patient" },
  "consent:kind": {
    says: "The subject of the consent: treatment, imaging, use of data, sharing with others, training of engines.",
    example: "imaging",
  },
  "consent:how": {
    says: "`screen`: to the wording that Arcada shows; `paper`: on a document of the clinic's own.",
    example: "screen",
  },
  "consent:textVersion": {
    says: "The version of the paper's wording. Required for `paper`; for `screen` the server sets its own.",
    example: "2026-11",
  },
  "consent:givenBy": { says: "Name of the person who agreed: the patient or a guardian.", example: "Anna Miller" },
  "consent:givenFor": { says: "States whether that person agreed for themselves or as a guardian.", example: "self" },
  "consent:givenAt": {
    says: "The time of the consent (ISO 8601 with time zone), at most 24 hours ahead of now.",
    example: "2026-11-20T09:30:00+01:00",
  },
  "consent.give:upload": { says: "A finished upload of the scanned paper. Null: none.", example: exampleId },
  "consent:note": { says: "A note about the consent. Null: none.", example: "Explained in English" },
  "consent.withdraw:by": { says: "Name of the person who took the consent back.", example: "Anna Miller" },
};
