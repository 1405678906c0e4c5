import type account from "@arcada/texts/en/account.json";
import type analysis from "@arcada/texts/en/analysis.json";
import type capacity from "@arcada/texts/en/capacity.json";
import type cards from "@arcada/texts/en/cards.json";
import type ceph from "@arcada/texts/en/ceph.json";
import type chart from "@arcada/texts/en/chart.json";
import type clinic from "@arcada/texts/en/clinic.json";
import type common from "@arcada/texts/en/common.json";
import type consent from "@arcada/texts/en/consent.json";
import type dashboard from "@arcada/texts/en/dashboard.json";
import type device from "@arcada/texts/en/device.json";
import type factor from "@arcada/texts/en/factor.json";
import type feedback from "@arcada/texts/en/feedback.json";
import type forward from "@arcada/texts/en/forward.json";
import type gateway from "@arcada/texts/en/gateway.json";
import type help from "@arcada/texts/en/help.json";
import type implant from "@arcada/texts/en/implant.json";
import type inbox from "@arcada/texts/en/inbox.json";
import type institution from "@arcada/texts/en/institution.json";
import type integrations from "@arcada/texts/en/interface.json";
import type labCase from "@arcada/texts/en/labCase.json";
import type launch from "@arcada/texts/en/launch.json";
import type leaving from "@arcada/texts/en/leaving.json";
import type legal from "@arcada/texts/en/legal.json";
import type letter from "@arcada/texts/en/letter.json";
import type member from "@arcada/texts/en/member.json";
import type myCapacity from "@arcada/texts/en/myCapacity.json";
import type notice from "@arcada/texts/en/notice.json";
import type operator from "@arcada/texts/en/operator.json";
import type order from "@arcada/texts/en/order.json";
import type orderDetail from "@arcada/texts/en/orderDetail.json";
import type hl7 from "@arcada/texts/en/hl7.json";
import type pacs from "@arcada/texts/en/pacs.json";
import type patient from "@arcada/texts/en/patient.json";
import type refusals from "@arcada/texts/en/refusals.json";
import type relation from "@arcada/texts/en/relation.json";
import type report from "@arcada/texts/en/report.json";
import type service from "@arcada/texts/en/service.json";
import type setup from "@arcada/texts/en/setup.json";
import type share from "@arcada/texts/en/share.json";
import type shell from "@arcada/texts/en/shell.json";
import type smart from "@arcada/texts/en/smart.json";
import type study from "@arcada/texts/en/study.json";
import type today from "@arcada/texts/en/today.json";
import type trail from "@arcada/texts/en/trail.json";
import type upgrade from "@arcada/texts/en/upgrade.json";
import type upload from "@arcada/texts/en/upload.json";
import type viewer from "@arcada/texts/en/viewer.json";
import type visit from "@arcada/texts/en/visit.json";
import type workorder from "@arcada/texts/en/workorder.json";

/** The English texts by the name of their file. The other languages have the same keys: tests/source/translations.test.ts. */
interface EnglishTexts {
  account: typeof account;
  analysis: typeof analysis;
  capacity: typeof capacity;
  cards: typeof cards;
  ceph: typeof ceph;
  chart: typeof chart;
  clinic: typeof clinic;
  common: typeof common;
  consent: typeof consent;
  dashboard: typeof dashboard;
  device: typeof device;
  factor: typeof factor;
  feedback: typeof feedback;
  forward: typeof forward;
  gateway: typeof gateway;
  help: typeof help;
  implant: typeof implant;
  inbox: typeof inbox;
  institution: typeof institution;
  interface: typeof integrations;
  labCase: typeof labCase;
  launch: typeof launch;
  leaving: typeof leaving;
  legal: typeof legal;
  letter: typeof letter;
  member: typeof member;
  myCapacity: typeof myCapacity;
  notice: typeof notice;
  operator: typeof operator;
  order: typeof order;
  orderDetail: typeof orderDetail;
  hl7: typeof hl7;
  pacs: typeof pacs;
  patient: typeof patient;
  refusals: typeof refusals;
  relation: typeof relation;
  report: typeof report;
  service: typeof service;
  setup: typeof setup;
  share: typeof share;
  shell: typeof shell;
  smart: typeof smart;
  study: typeof study;
  today: typeof today;
  trail: typeof trail;
  upgrade: typeof upgrade;
  upload: typeof upload;
  viewer: typeof viewer;
  visit: typeof visit;
  workorder: typeof workorder;
}

/** A file of texts: `order` is order.json. */
export type TextFile = keyof EnglishTexts;
/** The keys of one file without their plural suffixes: `state.sent`. */
export type KeyIn<File extends TextFile> = { [Name in TextFile]: LeafKey<EnglishTexts[Name]> }[File];
/** A key with its file in front: `order.state.sent`. */
export type FullKey<File extends TextFile> = { [Name in File]: `${Name}.${KeyIn<Name>}` }[File];

/** The names below a part of a full key: those below `order.state` are "draft", "pending" and so on. */
export type NameUnder<Part extends string> = LeafKey<TextsAt<EnglishTexts, Part>>;

// Follows the path. Matching every key against a pattern makes the type checker instantiate a million types more.
type TextsAt<Texts, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Texts
    ? TextsAt<Texts[Head], Rest>
    : never
  : Path extends keyof Texts
    ? Texts[Path]
    : never;
type LeafKey<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? WithoutPluralForm<Key> : `${Key}.${LeafKey<Texts[Key]>}`;
}[keyof Texts & string];
// English has two forms; `translate` chooses among those of the reader's language.
type WithoutPluralForm<Key extends string> = Key extends `${infer Name}_one`
  ? Name
  : Key extends `${infer Name}_other`
    ? Name
    : Key;
