import { exampleId, exampleIds } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

const acceptMismatch = "`true`: the files belong to this patient although they name another person.";

/** Studies, annotations, share links and analyses of engines. */
export const imageProperties: PropertyWords = {
  studyId: { says: "The study.", example: exampleId },
  "study:id": { says: "The study.", example: exampleId },
  "study.job:id": { says: "The job that `study.open` or `study.send` began.", example: exampleId },
  "study.cancelJob:id": { says: "The job to stop.", example: exampleId },
  "study.downloadState:id": { says: "The archive that `study.download` prepared.", example: exampleId },
  "study.list:kind": { says: "Only studies of this kind. If omitted: all.", example: "ct" },
  "study:kind": {
    says: "Kind of the images. `dentalFilm`: an intraoral radiograph; `xRay`: any other radiograph; `model`: a 3D scan.",
    example: "panorama",
  },
  "study.attach:kind": { says: "The kind of the study from now on. If omitted: as it is.", example: "panorama" },
  "study.open:kind": {
    says: "Kind of all images. `dentalFilm`: an intraoral radiograph; `xRay`: any other radiograph; `model`: a 3D scan. If omitted: recognised from each file.",
    example: "panorama",
  },
  "study.mount:kind": { says: "The mount of radiographs (`films`) or of photographs.", example: "films" },
  "study.attach:patientId": {
    says: "The patient to whom a study of the inbox belongs. If omitted: the study stays where it is.",
    example: exampleId,
  },
  "study.bin:patientId": { says: "The patient. If omitted: the removed studies of the inbox.", example: exampleId },
  "study:brief": {
    says: "`true`: of a volume only the first file, and files that are shown or faulty by themselves.",
    example: "true",
  },
  "study:acceptMismatch": { says: acceptMismatch, example: false },
  "study.open:acceptMismatch": {
    says: `${acceptMismatch} Otherwise their study waits for an answer (\`study.answer\`).`,
    example: false,
  },
  "study.confirmKinds:studies": { says: "Studies of the patient, each with the kind that the user saw." },
  "study:uploads": { says: "Finished uploads: files, or ZIP archives of files.", example: exampleIds },
  "study:photoViews": {
    says: "The view of each photograph of an orthodontic series, by the identifier of its upload.",
    example: { [exampleId]: "face.rest" },
  },
  "study.send:person": {
    says: "The person whom the program beside the device names. It counts for files that name nobody themselves, such as scans and photographs.",
  },
  "study:person.number": {
    says: "The patient's number: Arcada's or the medical record number. Empty: unknown.",
    example: "P000123",
  },
  "study:person.name": {
    says: "The patient's name as DICOM writes it: family name, `^`, given name; or one text. Empty: unknown.",
    example: "Miller^Anna",
  },
  "study:person.birthDate": {
    says: "The birth date as a calendar day (YYYY-MM-DD). Null: unknown.",
    example: "1991-06-03",
  },
  "study:person.sex": { says: "The patient's sex. Null: unknown.", example: "female" },
  "study.move:from": { says: "The patient at whom the caller saw the study.", example: exampleIds[0]! },
  "study.move:patientId": { says: "The patient to whom the study belongs.", example: exampleIds[1]! },
  "study.move:reason": {
    says: "The reason why the study is moved; it stays in the audit log.",
    example: "Uploaded for the wrong patient",
  },
  "study.marks:version": { says: "A past version. If omitted: the newest.", example: 2 },
  "share.marks:version": { says: "A past version. If omitted: the newest.", example: 2 },
  "study.saveMarks:version": {
    says: "The `version` of the annotations as the caller read it last; 0 if there are none yet. If somebody has changed them since, the call is refused.",
    example: 0,
  },
  "study.saveMarks:marks": { says: "All measurements and annotations of the study, as they are from now on." },
  "study:marks.id": {
    says: "The annotation's identifier, chosen by the client and unique within the study.",
    example: "m-1",
  },
  "study:tool": {
    says: "The kind of annotation: a measurement, a note, a structure such as a nerve canal, or a saved view. It decides the number of points.",
    example: "length",
  },
  "study:marks.instanceId": { says: "The image or model. Null: the volume of the study.", example: exampleId },
  "study:points": {
    says: "Points as [x, y] in pixels of an image, or as [x, y, z] in mm: in the patient's coordinates (LPS) of a volume, in those of a model for a scan.",
    example: [
      [120.5, 84],
      [160.5, 84],
    ],
  },
  "study:plane": {
    says: "The place of the annotation in a volume: a plane, the panorama along the arch, a cross-section of it, or the volume itself. Null: not in a volume.",
    example: null,
  },
  "study:marks.text": { says: "Words of a note, or the tooth's FDI number. Null: none.", example: "Check at recall" },
  "study:marks.settings": {
    says: "Further values of the tool, by name: `colour`, or `mm` of a calibration, `diameter` of a canal or implant, in mm.",
    example: { colour: "yellow" },
  },
  "study.saveMount:version": {
    says: "The mount's `version` as the caller read it last; 0 if nobody has saved it yet. If somebody has changed it since, the call is refused.",
    example: 0,
  },
  "study.saveMount:layout": { says: "The layout, with its number of images.", example: "full18" },
  "study.saveMount:turns": {
    says: "Quarter turns clockwise (1 to 3) of images that do not lie as their files have them, by image. If omitted: as they were.",
    example: { [exampleId]: 1 },
  },
  "study:films": {
    says: "The image at each position, by the position's name in the layout. Positions without an image are left out.",
    example: { "upper.incisor": exampleId },
  },
  "study.download:studies": { says: "Studies of one patient.", example: exampleIds },
  "study.download:nameless": {
    says: "De-identifies the files. If omitted: the files as they came.",
  },
  "study:pseudonym": {
    says: "Replaces the patient's name and number: letters, digits, space, `_`, `.` and `-`. If omitted: one is made.",
    example: "CASE-0042",
  },
  "study:dates": {
    says: "`removed`; `moved`: all dates of the patient are shifted by the same number of days; `kept`.",
    example: "removed",
  },
  "study.segmentation:seriesId": {
    says: "The series of the volume on which the structures are drawn.",
    example: exampleId,
  },
  "study.segmentation:version": {
    says: "The version of the marks, as `study.marks` states it.",
    example: 3,
  },
  "study.presentation:instanceId": { says: "The DICOM image.", example: exampleId },
  "study:frame": { says: "The frame of a multi-frame image, beginning with 0.", example: 0 },
  "study:window": { says: "The grey window, in the values that are shown." },
  "study:center": { says: "The grey value in the middle of the window.", example: 2048 },
  "study:window.width": { says: "The width of the window in grey values.", example: 4096 },
  "study:window.shape": {
    says: "The function from grey values to shades. If omitted: linear (PS3.3 C.11.2.1.2).",
    example: "linearExact",
  },
  "study:inverted": { says: "`true`: low values are white.", example: false },
  "study:turns": { says: "Quarter turns, clockwise.", example: 0 },
  "study:mirrored": { says: "`true`: the image is mirrored left to right.", example: false },
  "study:graphics": { says: "Drawings over the image." },
  "study:graphics.lines": {
    says: "Lines of points [x, y] in pixels; (0, 0) is the top left corner of the first pixel.",
    example: [
      [
        [10, 10],
        [50, 10],
      ],
    ],
  },
  "study:graphics.label": { says: "Words at the drawing. Empty: none.", example: "8.2 mm" },
  "study:graphics.at": { says: "The place of the words, [x, y] in pixels.", example: [52, 10] },
  "study.answer:studies": { says: "Studies that wait for an answer: of `study.questions`.", example: exampleIds },
  "study.answer:answer": {
    says: "`add`: they belong to this patient; `inbox`: they wait there for their patient; `discard`: they go to the bin of the inbox.",
    example: "add",
  },
  "share:id": { says: "The share link.", example: exampleId },
  "share.study:id": { says: "The study that the link shows.", example: exampleId },
  "share.marks:id": { says: "The study that the link shows.", example: exampleId },
  "share.download:id": { says: "The study that the link shows.", example: exampleId },
  "share.order:id": { says: "The order that the link shows.", example: exampleId },
  "share.orderDownload:id": { says: "The order that the link shows.", example: exampleId },
  "share.orderDownload:files": {
    says: "Only these files of the order. If omitted: all that the link shows.",
    example: exampleIds,
  },
  "share.create:kind": { says: "States whether the link shows a study or an order.", example: "study" },
  "share.create:id": { says: "The study or order that the link shows.", example: exampleId },
  "share:label": {
    says: "Whom the link is for, in the sender's words. It may not contain the patient's name.",
    example: "Dr. Park, second opinion",
  },
  "share:days": { says: "Days for which the link is valid: 1, 3 or 7.", example: 7 },
  "share.step:days": {
    says: "For `extend`: the days that are added, 1, 3 or 7. No link is valid for more than 30 days in all.",
    example: 7,
  },
  "share.create:factor": {
    says: "The proof that a guest must provide besides the link. `none` is allowed only with `nameless`, and for an order only without `pictures`.",
  },
  "share:factor.kind": {
    says: "`email`: a code sent to an address; `phone`: the last four digits of the patient's phone number; `birthDate`: the patient's birth date; `phrase`: words that the two agreed on; `none`.",
    example: "email",
  },
  "share:factor.email": { says: "The address to which codes are sent.", example: "jon.park@example.com" },
  "share:phrase": { says: "The words, without regard to case and repeated spaces.", example: "three blue windows" },
  "share.create:nameless": { says: "`true`: what names the patient is left out.", example: false },
  "share.create:pictures": { says: "For an order: `true` includes its images.", example: false },
  "share:revisions": { says: "For an order: the plans and designs that the link shows.", example: exampleIds },
  "share:allowDownload": { says: "`true`: guests may download what the link shows.", example: false },
  "share:warned": { says: "`true`: the person has read the warning about medical data.", example: true },
  "share.list:part": { says: "Links that are valid, or those that have ended.", example: "living" },
  "share:thingId": { says: "Only links to this study or order.", example: exampleId },
  "share.step:action": { says: "The action on the link.", example: "extend" },
  "share:secret": {
    says: "The part of the link behind its number sign.",
    example: "Vq3nB7xLw0dT9kRfYs2aHc5mJe8pUg1z",
  },
  "share.open:factor": {
    says: "The guest's answer: the code, the last four digits of the phone number, the birth date (YYYY-MM-DD) or the phrase. Left out if the link requires nothing.",
    example: "204816",
  },
  "analysis:id": { says: "The analysis.", example: exampleId },
  "analysis.addTrial:id": { says: "The engine: one of `analysis.engines`.", example: exampleId },
  "analysis.switchEngine:id": { says: "The engine: one of `analysis.engines`.", example: exampleId },
  "analysis.removeEngine:id": { says: "The engine: one of `analysis.engines`.", example: exampleId },
  "analysis:imageId": { says: "Only analyses of this image.", example: exampleId },
  "analysis.start:imageId": {
    says: "The image to analyse. Null or omitted: all images of the study.",
    example: exampleId,
  },
  "analysis:engine": {
    says: "The engine: an `id` of `analysis.engines`. `measurement` is the built-in one.",
    example: "measurement",
  },
  "analysis.installPack:upload": { says: "The finished upload of the engine pack.", example: exampleId },
  "analysis.switchIncluded:engine": {
    says: "The pack: an `info.id` of `analysis.included`.",
    example: "arcada.teeth",
  },
  "analysis:audience": {
    says: "The clinics for which the pack runs: `nobody`, `chosen` (`institutionIds`) or `all`.",
    example: "chosen",
  },
  "analysis:institutionIds": { says: "The chosen clinics; empty unless `audience` is `chosen`.", example: exampleIds },
  "analysis:modality": { says: "The kind of image, as DICOM names it.", example: "PX" },
  "analysis.setOnUpload:engine": {
    says: "The engine: one of `choices` of `analysis.engines`. Null: none, analyses are started by hand.",
    example: "arcada.teeth",
  },
  "analysis:institutionId": { says: "The organisation.", example: exampleId },
  "analysis:allowed": { says: "`true`: the organisation may install and run engine packs.", example: true },
  "analysis.setRemote:id": { says: "The engine to change. Null or omitted: a new one.", example: exampleId },
  "analysis.setRemote:address": {
    says: "The address of the model server (Open Inference Protocol, version 2).",
    example: "https://models.example.com",
  },
  "analysis.setRemote:model": { says: "The model's name on that server.", example: "panorama-findings" },
  "analysis:modelVersion": {
    says: "The model's version on that server. Null or omitted: the server's choice.",
    example: "2",
  },
  "analysis:token": {
    says: "The secret that the server asks for. Omitted: as it was. Null or empty: none.",
    example: "Vq3nB7xLw0dT9kRfYs2a",
  },
  "analysis:manifest": {
    says: "The engine's manifest, as the JSON text that `manifest.json` of an engine pack contains; docs/analysis.md describes it.",
    example: '{"id":"example.fdi32","version":"1.2.0","api":1,"task":"fdi-centres@1","modality":["PX"]}',
  },
  "analysis:card": {
    says: "The engine's card, as JSON text: `intendedUse` and `limits`, and optionally `trainedOn`, `clearance`, `metrics` and `translations`.",
    example: '{"intendedUse":"Tooth numbers on panoramic radiographs","limits":"Not for milk teeth"}',
  },
  "analysis.addTrial:file": { says: "The signed file that the trial wrote, as text.", example: "{}" },
  "analysis.switchEngine:on": { says: "`true` switches the engine on, `false` off.", example: true },
};
