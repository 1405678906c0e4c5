import { exampleId, exampleIds } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

const aboutPerson = "The person whom the practice program names.";

/** Programs of practices and laboratories, and other DICOM applications. */
export const exchangeProperties: PropertyWords = {
  "agent.orders:known": {
    says: "The orders of which the agent holds a case: their present state is returned as well.",
    example: exampleIds,
  },
  "agent:id": { says: "The order.", example: exampleId },
  "agent.submit:files": { says: "The files of the design. The same files as in the newest revision make no new one." },
  "agent.submit:files.upload": { says: "The id of a finished upload.", example: exampleId },
  "agent.submit:files.sha256": {
    says: "The SHA-256 of the file in hexadecimal digits, by which files that are there already are recognised.",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  "agent.report:version": { says: "The name and the version of the program.", example: "agent 1.0.0" },
  "agent.report:delivered": { says: "The cases that it has put into the folder since it was set up.", example: 12 },
  "agent.report:designs": { says: "The designs that it has sent since it was set up.", example: 9 },
  "agent.report:waiting": { says: "Orders and designs that wait for the folder or the connection.", example: 1 },
  "agent.report:problem": { says: "The last problem; null if there is none.", example: "designRefused" },
  "agent.report:numbers": { says: "The numbers of the orders that the problem concerns.", example: ["261129-100007"] },
  "agent.program:product": {
    says: "The program for one operating system, as its packages are published.",
    example: "Arcada Gateway win-x64",
  },
  "agent.program:version": { says: "The version that runs now: only a higher one is offered.", example: "1.0.0" },

  "practice.open:code": {
    says: "A one-time code that a key or a gateway made; it is given instead of `request`.",
    example: "arcada_launch_6Zt1",
  },
  "practice.claim:code": { says: "The code of a launch address.", example: "arcada_launch_6Zt1" },
  "practice:request": { says: "A person, or studies by their UIDs, accession number or ids: one of them is needed." },
  "practice:request.person": { says: aboutPerson },
  "practice:request.person.number": {
    says: "The practice's own number of the patient, or Arcada's.",
    example: "4711",
  },
  "practice:request.person.name": {
    says: "The full name, or family name, `^` and given name as in DICOM.",
    example: "Hart^Amelia",
  },
  "practice:request.person.birthDate": { says: "The date of birth; null if it is not known.", example: "1990-05-05" },
  "practice:request.person.sex": { says: "The sex; null if it is not known.", example: "female" },
  "practice:request.studies": {
    says: "Study Instance UIDs; the first that the clinic has is opened.",
    example: ["1.2.840.113619.2.55.3.1"],
  },
  "practice:request.accession": { says: "The accession number of a study.", example: "A20261129" },
  "practice:request.studyIds": { says: "Ids of studies in Arcada.", example: [exampleId] },
  "practice:request.newest": { says: "Only this many of the newest studies.", example: 3 },
  "practice:request.from": { says: "Only studies from this local time on.", example: "2026-11-01T00:00:00" },
  "practice:request.to": { says: "Only studies up to this local time.", example: "2026-11-30T23:59:59" },
  "practice.issueCode:user": {
    says: "The id or email address of a member for whom alone the code works. If omitted: any member of the clinic.",
    example: "dentist@clinic.example",
  },
  "practice.create:number": { says: "The practice's own number; it becomes the record number.", example: "4711" },
  "practice.create:name": { says: "The full name of the patient.", example: "Amelia Hart" },
  "practice.create:sex": { says: "The sex.", example: "female" },
  "practice.create:birthDate": { says: "The date of birth.", example: "1990-05-05" },
  "practice.create:evenIfDuplicate": {
    says: "`true`: also if a record of probably the same person exists.",
    example: false,
  },
  "practice.deviceImages:number": { says: "The practice's own number of the patient, or Arcada's.", example: "4711" },

  "order:openOn": {
    says: "Only orders that were open at the end of this day: handed over before, and neither dispatched, completed nor ended.",
    example: "2026-11-29",
  },
  "order.labWords:labId": { says: "The laboratory, one to which there is a relationship.", example: exampleId },
  "order.saveLabWords:words": {
    says: "All words of the laboratory. Of several with one meaning, the first is written into exported projects.",
  },
  "order.saveLabWords:words.list": {
    says: "The list of the word: kinds of work, materials or shades.",
    example: "materials",
  },
  "order.saveLabWords:words.word": { says: "The word, as the CAD program writes it.", example: "Zirconia HT" },
  "order.saveLabWords:words.code": {
    says: "The short code that exocad keeps beside the name of a material; null if it has none.",
    example: "ZIHT",
  },
  "order.saveLabWords:words.means": {
    says: "The kind, material or shade of an order that the word means; null: nothing is ordered.",
    example: "zirconia",
  },
  "order.saveLabTemplate:template": {
    says: "The project from which exported projects start; null removes it. Patient, practice, notes and numbers are not kept.",
  },
  "order.saveLabTemplate:template.name": { says: "The name of the file.", example: "template.dentalProject" },
  "order.saveLabTemplate:template.content": {
    says: "The file in Base64.",
    example: "PD94bWwgdmVyc2lvbj0iMS4wIj8+PFRyZWF0bWVudC8+",
  },

  "hl7.saveConnection:id": { says: "The system to change. If omitted: a new one is added.", example: exampleId },
  "hl7.saveConnection:name": { says: "The name that people see.", example: "Hospital information system" },
  "hl7.saveConnection:application": { says: "MSH-3 of its messages.", example: "KIS" },
  "hl7.saveConnection:facility": { says: "MSH-4 of its messages. Empty: any.", example: "HOSPITAL" },
  "hl7.saveConnection:receiver": { says: "MSH-5 of its messages. Empty: not compared.", example: "ARCADA" },
  "hl7.saveConnection:receiverFacility": { says: "MSH-6 of its messages. Empty: not compared.", example: "DENTAL" },
  "hl7.saveConnection:authority": {
    says: "The assigning authority (PID-3.4) whose number becomes the patient's entry number. Empty: the first number.",
    example: "HOSPITAL",
  },
  "hl7.saveConnection:createsPatients": {
    says: "`true`: unknown patients are created. `false`: their messages wait for a person.",
    example: true,
  },
  "hl7.saveConnection:results": {
    says: "The form in which signed reports are sent: not at all, with the PDF, or with an address.",
    example: "pdf",
  },
  "hl7.saveConnection:host": {
    says: "The host name or address to which reports are sent, without a port.",
    example: "kis.hospital.example",
  },
  "hl7.saveConnection:port": { says: "Its port.", example: 2575 },
  "hl7.saveConnection:tls": { says: "`true`: the connection is encrypted by TLS.", example: true },
  "hl7.removeConnection:id": { says: "The system.", example: exampleId },
  "hl7.tryConnection:id": { says: "The system.", example: exampleId },
  "hl7.messages:connectionId": { says: "The system whose messages are listed. If omitted: all.", example: exampleId },
  "hl7.decide:id": { says: "The message.", example: exampleId },
  "hl7.decide:decision": {
    says: "The decision: `apply` to the record that the message names, `choose` another record, `create` a new one, or `dismiss`.",
    example: "choose",
  },
  "hl7.decide:patientId": { says: "The record that was chosen; only for `choose`.", example: exampleId },
  "hl7.retry:id": { says: "The message.", example: exampleId },
  "hl7.receive:message": {
    says: "The bytes of the message in base64, without the start and the end block.",
    example: "TVNIfF5+XFwmfEtJU3w=",
  },
  "pacs.saveDestination:id": { says: "The application to change. If omitted: a new one is added.", example: exampleId },
  "pacs.saveDestination:name": {
    says: "The name under which the clinic's members choose it.",
    example: "Hospital PACS",
  },
  "pacs.saveDestination:title": { says: "Its AE title.", example: "PACS1" },
  "pacs.saveDestination:host": { says: "Its host name or address, without a port.", example: "pacs.hospital.example" },
  "pacs.saveDestination:port": { says: "Its port.", example: 104 },
  "pacs.saveDestination:tls": { says: "`true`: the connection is encrypted by TLS.", example: true },
  "pacs.removeDestination:id": { says: "The application.", example: exampleId },
  "pacs.tryDestination:id": { says: "The application.", example: exampleId },
  "pacs.send:destinationId": { says: "The application to which the study is sent.", example: exampleId },
  "pacs.retry:id": { says: "The entry of the log.", example: exampleId },
  "smart:id": { says: "The app: its client id.", example: exampleId },
  "smart:name": { says: "The name that people see when they decide about the app.", example: "Growth charts" },
  "smart:kind": {
    says: "How the app proves who it is: `public` not at all, `secret` by a secret, `keys` by a key pair of its own.",
    example: "public",
  },
  "smart:redirectUris": {
    says: "The addresses to which the browser may return, compared exactly: https, or a program on the same computer.",
    example: ["https://app.example/callback"],
  },
  "smart:launchUrl": {
    says: "The address that opens the app from the record of a patient; empty: it is not opened from there.",
    example: "https://app.example/launch",
  },
  "smart:scopes": {
    says: "The scopes that it may ask for, in the form of SMART App Launch 2.2 or 1.0.",
    example: ["launch/patient", "patient/Patient.rs"],
  },
  "smart:keys": {
    says: "The https address of its JSON Web Key Set, or the set itself; only for the kind `keys`.",
    example: "https://app.example/jwks.json",
  },
  "smart:request": { says: "The parameters with which the app opened the page." },
  "smart:request.response_type": { says: "The kind of answer: always `code`.", example: "code" },
  "smart:request.client_id": { says: "The id of the app.", example: exampleId },
  "smart:request.redirect_uri": {
    says: "The registered address to which the browser returns.",
    example: "https://app.example/callback",
  },
  "smart:request.scope": { says: "The scopes, separated by spaces.", example: "launch/patient patient/Patient.rs" },
  "smart:request.state": { says: "A value that the app gets back.", example: "af0ifjsldkj" },
  "smart:request.aud": { says: "The base of FHIR that the app means.", example: "https://arcada.example/fhir" },
  "smart:request.code_challenge": {
    says: "The SHA-256 of the verifier, in base64url.",
    example: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  },
  "smart:request.code_challenge_method": { says: "The method of the challenge: always `S256`.", example: "S256" },
  "smart:request.launch": { says: "The code of a launch from the record of a patient.", example: "6Zt1" },
  "smart.decide:allow": { says: "`true`: the app gets what it asks for.", example: true },
  "smart.decide:patientId": {
    says: "The patient whom the person chose; null if the app needs none, or the launch named one.",
    example: exampleId,
  },
  "smart.launch:patientId": { says: "The patient for whom the app is opened.", example: exampleId },
  "smart.endApproval:id": { says: "The approval.", example: exampleId },
  "pacs.cancel:id": { says: "The entry of the log.", example: exampleId },
};
