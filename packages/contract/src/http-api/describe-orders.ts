import { exampleId, exampleIds } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

/** Orders between clinics and laboratories: prescriptions, actions, messages and templates. */
export const orderProperties: PropertyWords = {
  "order:id": { says: "The order.", example: exampleId },
  "order.save:id": { says: "The draft to change. If omitted: a new draft is made.", example: exampleId },
  "order.save:version": {
    says: "The draft's `version` as the caller read it last. Required with `id`, left out for a new draft.",
    example: 3,
  },
  "order.saveChild:id": { says: "The draft by which the laboratory forwards an order.", example: exampleId },
  "order.names:ids": {
    says: "Up to 100 orders, with commas between. Those that the caller may not see are left out of the answer.",
    example: exampleIds.join(","),
  },
  "order:caseType": {
    says: "Type of the order. It decides which fields must be filled before the order is sent.",
    example: "restoration",
  },
  "order.list:caseType": { says: "Only orders of this type.", example: "restoration" },
  "order.export:caseType": { says: "Only orders of this type.", example: "restoration" },
  "template:content.caseType": {
    says: "Type of the order. Null: the template does not set it.",
    example: "restoration",
  },
  "order:items": { says: "The items of the prescription, in the order in which documents list them." },
  "order:items.teeth": {
    says: "The teeth of the item, by their numbers in FDI notation (ISO 3950): 11 to 48, milk teeth 51 to 85.",
    example: [14, 15, 16],
  },
  "order:items.kind": { says: "Kind of the restoration or part.", example: "bridge" },
  "order:items.material": {
    says: "Material of the item. Null: not chosen yet; restorations and implant work can't be sent without it.",
    example: "zirconia",
  },
  "order:items.shade": {
    says: "Shade of the item, by VITA classical or VITA 3D-Master. Null: none, as for parts that nobody sees.",
    example: "A2",
  },
  "order:stumpShade": {
    says: "Shade of the prepared stump, by IPS Natural Die (ND1 to ND9) or of a tooth. Null: not stated.",
    example: "ND3",
  },
  "order:pontics": {
    says: "The teeth of a bridge without an abutment under them: some of `teeth`, never all. Empty for other items.",
    example: [15],
  },
  "order:items.remark": {
    says: "Words to the laboratory about this item. Null: none.",
    example: "Light contact points",
  },
  "order:workKinds": {
    says: "The work of the laboratory: design only, machining only, or both. Design alone ends with digital delivery.",
    example: ["design", "machining"],
  },
  "order:jaws": { says: "The jaws that are treated. Required for orthodontics.", example: ["maxilla"] },
  "order:implantSystem": {
    says: "Maker, line and connection of the implant, as text. Required for implant work. Null: none.",
    example: "Example Dental Tapered NP",
  },
  "order:fixType": {
    says: "States whether the restoration is screwed or cemented. Required for implant work. Null: none.",
    example: "screw",
  },
  "order:torque": { says: "Torque for the screw in N·cm. Null: not stated.", example: 35 },
  "order:gingiva": {
    says: "The origin of the soft-tissue part of the model around an implant: scanned, made by the laboratory, or none. Null: not stated.",
    example: "scanned",
  },
  "order:antagonist": {
    says: "The dentition that opposes the restoration: natural teeth, a restoration, an implant, a denture, nothing. Null: not stated.",
    example: "natural",
  },
  "order:sourceOrder": {
    says: "The number of this order in the sender's own books. Null: none.",
    example: "2026-1107",
  },
  "order:instructions": {
    says: "Words to the laboratory about the whole order. Required for orthodontics and, with at least 10 characters, for the type `other`. Null: none.",
    example: "Please keep the incisal edge as in the scan.",
  },
  "order:schemeRequired": {
    says: "`true`: the laboratory submits a treatment plan for confirmation before it designs.",
    example: false,
  },
  "order:targetIid": {
    says: "The laboratory that gets the order. An order is sent only to one with which the organisation has an established relationship. Null: not chosen yet.",
    example: exampleId,
  },
  "order:dueDate": {
    says: "The day on which the work is due, as a calendar day in the sender's time zone (YYYY-MM-DD). Null: not chosen; a new draft then gets a date a week ahead.",
    example: "2026-12-06",
  },
  "order:prescription.dueDate": {
    says: "The day on which the work is due, as a calendar day in the sender's time zone (YYYY-MM-DD). Null: none.",
    example: "2026-12-06",
  },
  "order:maskName": {
    says: "`true`: the laboratory sees the patient's name masked (J*** S****).",
    example: false,
  },
  "order:mayForward": {
    says: "States whether the laboratory may forward the order to another one. Null: as the organisation has agreed with the laboratory.",
    example: null,
  },
  "order:namePasses": {
    says: "`true`: if the laboratory forwards the order, the next one sees the patient's name as well.",
    example: false,
  },
  "order:labShares": { says: "`true`: the laboratory may make share links to the order.", example: false },
  "order:noDigitalFiles": {
    says: "`true`: impressions or models come by post, so that the order may be sent without files.",
    example: false,
  },
  "order.save:studies": {
    says: "All studies of the patient that go along; their files take the role that fits. Studies that are not named are taken out of the draft.",
    example: exampleIds,
  },
  "order.save:uploads": { says: "All other files that go along. Files that are not named are taken out of the draft." },
  "order.save:uploads.upload": {
    says: "A finished upload, or a file that the draft contains already, by its identifier.",
    example: exampleId,
  },
  "order:uploads.role": {
    says: "The role of the file: a scan of a jaw or of the bite, a radiograph (`image`), a CT, a photograph, a document.",
    example: "upperScan",
  },
  "order:responsibleId": {
    says: "The member who answers for the order; an assistant can't. If omitted for a new draft: its creator, or for an assistant the dentist of the patient's latest order; for a draft that exists: the same as before.",
    example: exampleId,
  },
  "order:send": {
    says: "`true`: the draft is submitted in the same transaction; the call is refused if required fields are missing. An assistant of a clinic can't send.",
    example: false,
  },
  "order.step:action": {
    says: "The action: one of the order's `actions`. `create` and `edit` are done by `order.save`; some are the system's.",
    example: "accept",
  },
  "order.step:reason": {
    says: "The reason; required to cancel, refuse, return, go back a stage, deliver again, and to decline with `approve: false`. The other side reads it.",
    example: "The margin at 14 is not visible in the scan.",
  },
  "order.step:text": {
    says: "Words to the other side: the question of `requestInfo`, the answer of `supplyInfo`, or a note with a plan or a design.",
    example: "Which shade should the pontic have?",
  },
  "order.step:files": {
    says: "Finished uploads that go along. Required for `submitDesign` without `delivered`, one of them a mesh, and for `submitScheme` and `supplyInfo` unless there are words; allowed for `redeliver` and `proposeChange`, refused with every other action.",
  },
  "order:files.upload": { says: "The finished upload.", example: exampleId },
  "order:files.role": {
    says: "The role of the file. `submitScheme`, `submitDesign` and `redeliver` set it themselves.",
    example: "design",
  },
  "order:revisionHash": {
    says: "The `hash` of the newest plan or design, for `confirmScheme`, `confirmDesign` and `confirmDelivery`. The caller must have opened a design with `order.openRevision`.",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  "order:carrier": {
    says: "The carrier of a parcel, for `dispatch` and `correctShipment`. Required unless `handDelivery`.",
    example: "DHL",
  },
  "order.step:trackingNumber": {
    says: "The parcel's tracking number, for `dispatch` and `correctShipment`. Required unless `handDelivery`.",
    example: "JD0140102030405",
  },
  "order:handDelivery": { says: "`true`: the work is brought by hand, without a carrier.", example: false },
  "order:promisedDate": {
    says: "The day that the laboratory promises (YYYY-MM-DD). For `accept`, if omitted: the due date. Required to approve a change.",
    example: "2026-12-05",
  },
  "order.step:assigneeId": {
    says: "The member of the laboratory who is to do the work: required for `assign`; for `accept`, if omitted: the person assigned already, or the caller.",
    example: exampleId,
  },
  "order.step:targetIid": {
    says: "For `prepareForward`: the laboratory that gets the work.",
    example: exampleId,
  },
  "order:approve": {
    says: "The decision, for `decideCancel` and `decideChange`: `true` agrees, `false` declines and needs a `reason`.",
    example: true,
  },
  "order:prescription": {
    says: "The prescription of the draft by which an order is forwarded.",
  },
  "order.step:prescription": {
    says: "The changed prescription, as a whole: required for `proposeChange`; allowed for `supplyInfo` while the order is not accepted.",
  },
  "order:reasonCode": {
    says: "The kind of reason. `capacity`, `files`, `scope` and `terms` are for `refuse`; `patient`, `duplicate`, `mistake` and `otherLab` for `cancel`; `other` for both. Ignored by other actions.",
    example: "capacity",
  },
  "order:faults": { says: "For `returnDesign`: what is wrong, item by item." },
  "order:faults.item": { says: "Index of the item in the prescription, beginning with 0.", example: 0 },
  "order:faults.kinds": { says: "The faults of the item.", example: ["margin", "contact"] },
  "order:straight": {
    says: "For `prepareForward`: `true` if the other laboratory sends the work straight to the sender of the order.",
    example: false,
  },
  "order:showName": {
    says: "For `prepareForward`: `true` if the sender of the order may see which laboratory makes the work.",
    example: false,
  },
  "order.step:delivered": {
    says: "For `submitDesign`: `true` submits the design that the other laboratory delivered, in place of `files`.",
    example: false,
  },
  "order.message:text": {
    says: "The message. Required if there are no files.",
    example: "The scan of the lower jaw follows.",
  },
  "order.message:files": { says: "Finished uploads that come with the message.", example: exampleIds },
  "order:mentions": {
    says: "The people whom the text calls with an @ before their name: they get a notice. They must be able to see the order.",
    example: [exampleId],
  },
  "order.read:message": { says: "The newest message that the caller has read.", example: exampleId },
  "order.download:files": {
    says: "Only these files of the order. If omitted: all that the caller may take.",
    example: exampleIds,
  },
  "order.download:layout": {
    says: "`folders`: a folder for each kind of file; `exocad`: a project of exocad DentalCAD with the prescription.",
    example: "folders",
  },
  "order.remake:class": { says: "The cause of the remake.", example: "lab" },
  "order:bears": { says: "The side that pays for the remake. `open`: not decided.", example: "open" },
  "order.letShare:on": {
    says: "`true`: the laboratory may make share links to the order. `false`: it may not, and its links end.",
    example: true,
  },
  "order.prescription:teeth": {
    says: "Tooth notation of the document: FDI (ISO 3950), Palmer or Universal.",
    example: "fdi",
  },
  "order:revision": {
    says: "The plan or design that the caller has opened: one of the order's `revisions`.",
    example: exampleId,
  },
  "order.addPin:file": { says: "The model: a file of the order.", example: exampleId },
  "order:point": {
    says: "The place on the model's surface: x, y and z in mm, in the coordinates of the file.",
    example: [12.4, -3.1, 8.75],
  },
  "order.addPin:text": { says: "The comment.", example: "Please raise this contact." },
  "order.answerPin:text": { says: "The answer to the comment.", example: "Raised by 0.1 mm." },
  "order:pin": { says: "The comment: one of the order's `order.pins`.", example: exampleId },
  "order:settled": { says: "`true` closes the comment, `false` opens it again.", example: true },
  "template:id": { says: "The template.", example: exampleId },
  "template.save:id": { says: "The template to change. If omitted: a new one is made.", example: exampleId },
  "template:name": { says: "The template's name.", example: "Zirconia crown" },
  "template:forAll": {
    says: "`true`: everybody in the clinic sees the template; `false`: only its writer.",
    example: false,
  },
  "template:targetIid": {
    says: "The laboratory to which the template belongs. Null: to none.",
    example: exampleId,
  },
  "template:isDefault": {
    says: "`true`: the template fills the empty fields of an order as soon as its laboratory is chosen. It replaces the earlier default and needs `targetIid`.",
    example: false,
  },
  "template:content": { says: "The values that the template sets." },
  "template:content.kind": { says: "Kind of each new item. Null: not set.", example: "crown" },
  "template:content.material": { says: "Material of each new item. Null: not set.", example: "zirconia" },
  "template:shadeGuide": { says: "Shade guide of each new item. Null: not set.", example: "vitaClassical" },
  "template:content.workKinds": {
    says: "The work of the laboratory. Null: not set.",
    example: ["design", "machining"],
  },
  "template:content.implantSystem": {
    says: "Maker, line and connection of the implant. Null: not set.",
    example: "Example Dental Tapered NP",
  },
  "template:content.fixType": {
    says: "States whether the restoration is screwed or cemented. Null: not set.",
    example: "screw",
  },
  "template:content.instructions": { says: "Words to the laboratory. Null: not set.", example: "Light contact points" },
  "template:content.schemeRequired": {
    says: "States whether a plan is confirmed first. Null: not set.",
    example: null,
  },
  "template:content.maskName": {
    says: "States whether the laboratory sees the name masked. Null: not set.",
    example: null,
  },
  "template:dueDays": { says: "Days from the order to its due date. Null: not set.", example: 7 },
};
