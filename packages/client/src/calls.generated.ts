// Made from the contract by `node scripts/generate-docs.ts`; a test compares them.

/** The version of the open interface from which this file was made. */
export const apiVersion = "1.0.0";

export interface AgentFetchRequest {
  /** The order. */
  id: string;
}

export interface AgentFetchResult {
  url: string;
  files: number;
  bytes: number;
}

export interface AgentOrdersRequest {
  /** The orders of which the agent holds a case: their present state is returned as well. */
  known?: Array<string>;
}

export interface AgentOrdersResult {
  wanted: Array<{
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    step: string;
    designRevision: number;
    files: number;
    content: string;
  }>;
  known: Array<{
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    step: string;
    designRevision: number;
    files: number;
    content: string;
  }>;
}

export interface AgentProgramResult {
  package: {
    product: string;
    version: string;
    sha256: string;
    size: number;
    id: string;
    name: string;
    fileName: string;
    algorithm: "Ed25519";
    signature: string;
    signedBy: string;
    url: string;
    signatureUrl: string;
  } | null;
}

export interface AgentReportRequest {
  /** The name and the version of the program. */
  version: string;
  /** The cases that it has put into the folder since it was set up. */
  delivered: number;
  /** The designs that it has sent since it was set up. */
  designs: number;
  /** Orders and designs that wait for the folder or the connection. */
  waiting: number;
  /** The last problem; null if there is none. */
  problem: "folderUnusable" | "diskFull" | "downloadBroken" | "designRefused" | "designLate" | "caseMissing" | "orderCancelled" | "orderChanged" | null;
  /** The numbers of the orders that the problem concerns. */
  numbers?: Array<string>;
}

export interface AgentReportResult {
  key: string;
  laboratory: string;
}

export interface AgentSubmitRequest {
  /** The order. */
  id: string;
  /** The files of the design. The same files as in the newest revision make no new one. */
  files: Array<{
    /** The id of a finished upload. */
    upload: string;
    /** The SHA-256 of the file in hexadecimal digits, by which files that are there already are recognised. */
    sha256: string;
  }>;
}

export interface AgentSubmitResult {
  revision: number;
  isNew: boolean;
}

export interface Annotation {
  id: string;
  tool: "length" | "angle" | "cobb" | "ratio" | "path" | "arrow" | "text" | "tooth" | "calibration" | "profile" | "ellipse" | "rectangle" | "arch" | "canal" | "sinus" | "implant" | "root" | "airway" | "scene" | "surface" | "thickness" | "pin" | "registration" | "orientation";
  instanceId: string | null;
  points: Array<Array<number>>;
  plane: "axial" | "coronal" | "sagittal" | "panorama" | "section" | "volume" | null;
  text: string | null;
  settings?: {
    [name: string]: number | boolean | string;
  };
}

export interface DesignFault {
  item: number;
  kinds: Array<"margin" | "contact" | "occlusion" | "shape" | "shade">;
}

export interface DesignFaultInput {
  /** Index of the item in the prescription, beginning with 0. */
  item: number;
  /** The faults of the item. */
  kinds: Array<"margin" | "contact" | "occlusion" | "shape" | "shade">;
}

export interface DetectedArch {
  upper: Array<Array<number>>;
  lower: Array<Array<number>>;
  up: Array<number>;
  edges?: Array<"rightRamus" | "leftRamus" | "rightCondyle" | "leftCondyle" | "chin">;
}

export interface GreyWindow {
  center: number;
  width: number;
  shape?: "linearExact" | "sigmoid" | "table";
  table?: string;
}

export interface ImageInstance {
  id: string;
  name: string;
  alsoNamed: Array<string>;
  bytes: number;
  sha256: string;
  originalUrl: string | null;
  thumbnailUrl: string | null;
  fault: string | null;
  picture: {
    format: "grey16" | "image";
    columns: number;
    rows: number;
    signed: boolean;
    inverted: boolean;
    min: number;
    max: number;
    window: GreyWindow | null;
    valueOffset: number;
    valueScale: number;
    presentation: {
      label: string;
      notApplied: Array<string>;
      drawn: StateDrawing | null;
    } | null;
    spacing: {
      row: number;
      column: number;
      source: "pixelSpacing" | "imager" | "resolution" | "user";
    } | null;
    url: string;
    frames: Array<string>;
    overlays: Array<string>;
  } | null;
  video: {
    url: string | null;
    codec: string;
    seconds: number;
    width: number;
    height: number;
  } | null;
  document: {
    url: string | null;
    isPdf: boolean;
  } | null;
  model: {
    format: "stl" | "ply" | "obj" | "3mf";
    url: string;
    triangles: number;
    jaw: "upper" | "lower" | null;
    glb: StreamingCopy | null;
  } | null;
}

export interface ImageSeries {
  id: string;
  kind: "volume" | "pictures" | "models";
  modality: string | null;
  description: string | null;
  count: number;
  thumbnailUrl: string | null;
  problems: Array<{
    code: string;
    detail: string;
  }>;
  instances: Array<ImageInstance>;
  volume: {
    columns: number;
    rows: number;
    slices: number;
    spacing: Array<number>;
    origin: Array<number>;
    direction: Array<number>;
    min: number;
    max: number;
    window: GreyWindow;
    fileWindow?: GreyWindow;
    valueOffset: number;
    valueScale: number;
    valueName: "HU" | "grey";
    preview: {
      url: string;
      info: VolumeInfo;
    } | null;
    firstLook: string | null;
    archImages: string | null;
    arch?: DetectedArch | null;
    half: {
      info: VolumeInfo;
      groups: Array<string | null>;
    } | null;
    groups: Array<string | null>;
    groupSize: number;
    isGrowing: boolean;
  } | null;
}

export interface IngestJob {
  id: string;
  patientId: string | null;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  progress: number;
  stage: "receiving" | "unpacking" | "reading" | "storing" | "converting" | "done";
  studies: Array<string>;
  refused: Array<RefusedFile>;
  added: number;
  known: number;
  knownFiles: Array<{
    name: string;
    as: string;
  }>;
  questions: Array<string>;
  refusal: string | null;
}

export interface Institution {
  id: string;
  name: string;
  number: string;
  type: "clinic" | "lab";
  country: string;
  address: string | null;
  contactPerson: string | null;
  contactWay: string | null;
  longitude: number | null;
  latitude: number | null;
  hidePatientNames: boolean;
  autoAcceptRelations: boolean;
  sharePhones: boolean;
  requireFactor: boolean;
  launchCreatesPatients: boolean;
  receiptDays: number | null;
  retentionYears: number | null;
  timeZone: string;
  reportLogo: {
    cover: string | null;
    inside: string | null;
  };
}

export interface LaunchCodeRequest {
  /** The member who is to be signed in: their identifier or e-mail address. They must have allowed it in their settings. */
  user: string;
}

export interface LaunchCodeResult {
  code: string;
  expiresIn: number;
}

export interface MessageInputInput {
  /** The order. */
  id: string;
  /** The message. Required if there are no files. */
  text?: string;
  /** Finished uploads that come with the message. */
  files?: Array<string>;
  /** The people whom the text calls with an @ before their name: they get a notice. They must be able to see the order. */
  mentions?: Array<string>;
}

export interface Order {
  id: string;
  number: string;
  state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
  turn: "sender" | "receiver" | "nobody";
  step: "preparing" | "submitted" | "returned" | "production" | "uploading" | "send_failed";
  holder: "sender" | "receiver";
  schemeRevision: number;
  designRevision: number;
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  patientName: string;
  patientNumber: string;
  teeth: Array<number>;
  work: Array<{
    teeth: Array<number>;
    kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
    material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
    shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  }>;
  sender: {
    iid: string;
    name: string;
    number: string;
  };
  receiver: {
    iid: string;
    name: string;
    number: string;
  } | null;
  creatorName: string;
  responsibleName: string;
  assigneeName: string | null;
  assigneeId: string | null;
  dueDate: string | null;
  promisedDate: string | null;
  createdAt: string;
  updatedAt: string;
  mine: "sender" | "receiver";
  myTurn: boolean;
  unread: number;
  version: number;
  responsibleId: string | null;
  contacts: {
    sender: OrderContact | null;
    receiver: OrderContact | null;
  };
  patientId: string | null;
  prescription: {
    caseType: "restoration" | "implant" | "orthodontics" | "other";
    items: Array<OrderItem>;
    workKinds: Array<"design" | "machining">;
    jaws: Array<"maxilla" | "mandible">;
    implantSystem: string | null;
    fixType: "screw" | "cement" | null;
    torque: number | null;
    gingiva: "scanned" | "byLab" | "none" | null;
    antagonist: "natural" | "restored" | "implant" | "denture" | "none" | null;
    sourceOrder: string | null;
    instructions: string | null;
    schemeRequired: boolean;
    targetIid: string | null;
    dueDate: string | null;
    maskName: boolean;
    mayForward: boolean | null;
    namePasses: boolean;
    labShares: boolean;
    noDigitalFiles: boolean;
  };
  rxRevision: number;
  files: Array<OrderFile>;
  revisions: Array<OrderRevision>;
  events: Array<OrderEvent>;
  messages: Array<OrderMessage>;
  readings: Array<OrderReading>;
  shipment: {
    carrier: string | null;
    trackingNumber: string | null;
    handDelivery: boolean;
    at: string;
  } | null;
  infoRequest: string | null;
  cancelRequest: string | null;
  proposal: {
    id: string;
    time: string;
    who: string;
    text: string | null;
    changed: Array<string>;
    prescription: RxChange;
    files: Array<OrderFile>;
  } | null;
  family: RelatedOrders;
  missing: Array<string>;
  actions: Array<"create" | "edit" | "delete" | "submit" | "handOver" | "transferFailed" | "recall" | "cancel" | "requestInfo" | "supplyInfo" | "accept" | "refuse" | "submitScheme" | "confirmScheme" | "returnScheme" | "submitDesign" | "confirmDesign" | "confirmDelivery" | "returnDesign" | "withdraw" | "backToScheme" | "backToDesign" | "dispatch" | "correctShipment" | "recallDispatch" | "confirmReceipt" | "redeliver" | "autoComplete" | "requestCancel" | "decideCancel" | "cancelByReceiver" | "prepareForward" | "forward" | "dropForward" | "childFailed" | "childDelivered" | "proposeChange" | "decideChange" | "assign">;
  mayChat: boolean;
  mayShare: boolean;
  labShares: boolean | null;
  nameHidden: boolean;
}

export interface OrderContact {
  person: string | null;
  phone: string | null;
  contactPerson: string | null;
  contactWay: string | null;
  address: string | null;
}

export interface OrderCopyRequest {
  /** The order. */
  id: string;
}

export interface OrderCountsResult {
  all: number;
  myTurn: number;
  states: {
    [name: string]: number;
  };
}

export interface OrderDownloadRequest {
  /** The order. */
  id: string;
  /** Only these files of the order. If omitted: all that the caller may take. */
  files?: Array<string>;
  /** `folders`: a folder for each kind of file; `exocad`: a project of exocad DentalCAD with the prescription. */
  layout?: "folders" | "exocad" | "threeShape";
}

export interface OrderDownloadResult {
  url: string;
  files: number;
  bytes: number;
}

export interface OrderEvent {
  id: string;
  time: string;
  action: string;
  from: string | null;
  to: string;
  who: string;
  side: "sender" | "receiver" | "system";
  text: string | null;
  revision: number | null;
  changed?: Array<string>;
  code?: string;
  faults?: Array<DesignFault>;
}

export interface OrderFile {
  id: string;
  role: "upperScan" | "lowerScan" | "bite" | "image" | "ct" | "document" | "scheme" | "design" | "answer" | "photo" | "message";
  name: string;
  bytes: number;
  sha256: string;
  studyId: string | null;
  studyKind: string | null;
  revisionId: string | null;
  messageId: string | null;
  url: string | null;
  glb: StreamingCopy | null;
  thumbnailUrl: string | null;
  pictureUrl: string | null;
}

export interface OrderItem {
  teeth: Array<number>;
  kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
  material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
  shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  stumpShade: "ND1" | "ND2" | "ND3" | "ND4" | "ND5" | "ND6" | "ND7" | "ND8" | "ND9" | "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  pontics: Array<number>;
  remark: string | null;
}

export interface OrderItemInput {
  /** The teeth of the item, by their numbers in FDI notation (ISO 3950): 11 to 48, milk teeth 51 to 85. */
  teeth: Array<number>;
  /** Kind of the restoration or part. */
  kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
  /** Material of the item. Null: not chosen yet; restorations and implant work can't be sent without it. */
  material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
  /** Shade of the item, by VITA classical or VITA 3D-Master. Null: none, as for parts that nobody sees. */
  shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  /** Shade of the prepared stump, by IPS Natural Die (ND1 to ND9) or of a tooth. Null: not stated. */
  stumpShade?: "ND1" | "ND2" | "ND3" | "ND4" | "ND5" | "ND6" | "ND7" | "ND8" | "ND9" | "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  /** The teeth of a bridge without an abutment under them: some of `teeth`, never all. Empty for other items. */
  pontics?: Array<number>;
  /** Words to the laboratory about this item. Null: none. */
  remark?: string | null;
}

export interface OrderListResult {
  list: Array<OrderRow>;
  total: number;
  next: string | null;
}

export interface OrderMessage {
  id: string;
  time: string;
  who: string;
  mine: boolean;
  text: string;
  mentions: Array<string>;
}

export interface OrderOpenRevisionRequest {
  /** The order. */
  id: string;
  /** The plan or design that the caller has opened: one of the order's `revisions`. */
  revision: string;
}

export interface OrderPin {
  id: string;
  time: string;
  who: string;
  mine: boolean;
  text: string;
  number: number;
  fileId: string;
  sha256: string;
  point: [number, number, number];
  replies: Array<{
    id: string;
    time: string;
    who: string;
    mine: boolean;
    text: string;
  }>;
  settled: {
    who: string;
    time: string;
  } | null;
  mayRemove: boolean;
}

export interface OrderPinsResult {
  list: Array<OrderPin>;
  mayWrite: boolean;
}

export interface OrderPrescriptionResult {
  url: string;
}

export interface OrderReading {
  who: string;
  mine: boolean;
  self: boolean;
  upTo: string;
  at: string;
}

export interface OrderRemakeRequest {
  /** The order. */
  id: string;
  /** The cause of the remake. */
  class: "lab" | "clinic" | "material" | "patient";
  /** The side that pays for the remake. `open`: not decided. */
  bears: "open" | "lab" | "clinic" | "shared";
}

export interface OrderRevision {
  id: string;
  kind: "scheme" | "design";
  number: number;
  hash: string;
  text: string | null;
  state: "submitted" | "confirmed" | "returned" | "withdrawn" | "voided";
  time: string;
  who: string;
  decided: {
    who: string;
    time: string;
  } | null;
  seen: boolean;
}

export interface OrderRow {
  id: string;
  number: string;
  state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
  turn: "sender" | "receiver" | "nobody";
  step: "preparing" | "submitted" | "returned" | "production" | "uploading" | "send_failed";
  holder: "sender" | "receiver";
  schemeRevision: number;
  designRevision: number;
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  patientName: string;
  patientNumber: string;
  teeth: Array<number>;
  work: Array<{
    teeth: Array<number>;
    kind: "inlay" | "onlay" | "veneer" | "crown" | "bridge" | "pontic" | "postCore" | "customAbutment" | "bar" | "surgicalGuide" | "other";
    material: "resin" | "titanium" | "zirconia" | "layeredZirconia" | "pressCeramic" | "glassCeramic" | "pmma" | "metalCeramic" | "cobaltChrome" | "preciousMetal" | null;
    shade: "A1" | "A2" | "A3" | "A3.5" | "A4" | "B1" | "B2" | "B3" | "B4" | "C1" | "C2" | "C3" | "C4" | "D2" | "D3" | "D4" | "0M1" | "0M2" | "0M3" | "1M1" | "1M2" | "2L1.5" | "2L2.5" | "2M1" | "2M2" | "2M3" | "2R1.5" | "2R2.5" | "3L1.5" | "3L2.5" | "3M1" | "3M2" | "3M3" | "3R1.5" | "3R2.5" | "4L1.5" | "4L2.5" | "4M1" | "4M2" | "4M3" | "4R1.5" | "4R2.5" | "5M1" | "5M2" | "5M3" | null;
  }>;
  sender: {
    iid: string;
    name: string;
    number: string;
  };
  receiver: {
    iid: string;
    name: string;
    number: string;
  } | null;
  creatorName: string;
  responsibleName: string;
  assigneeName: string | null;
  assigneeId: string | null;
  dueDate: string | null;
  promisedDate: string | null;
  createdAt: string;
  updatedAt: string;
  mine: "sender" | "receiver";
  myTurn: boolean;
  unread: number;
  version: number;
}

export interface OrderRxResult {
  list: Array<RxRevision>;
}

export interface OrderSaveChildRequest {
  /** The draft by which the laboratory forwards an order. */
  id: string;
  /** The record's `version` as the caller read it last. If somebody has changed the record since, the call is refused and nothing is written. */
  version: number;
  /** The prescription of the draft by which an order is forwarded. */
  prescription: RxChangeInput;
  /** `true`: the draft is submitted in the same transaction; the call is refused if required fields are missing. An assistant of a clinic can't send. */
  send?: boolean;
}

export interface OrderSaveRequest {
  /** The patient. */
  patientId: string;
  /** Type of the order. It decides which fields must be filled before the order is sent. */
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  /** The items of the prescription, in the order in which documents list them. */
  items: Array<OrderItemInput>;
  /** The work of the laboratory: design only, machining only, or both. Design alone ends with digital delivery. */
  workKinds: Array<"design" | "machining">;
  /** The jaws that are treated. Required for orthodontics. */
  jaws?: Array<"maxilla" | "mandible">;
  /** Maker, line and connection of the implant, as text. Required for implant work. Null: none. */
  implantSystem?: string | null;
  /** States whether the restoration is screwed or cemented. Required for implant work. Null: none. */
  fixType?: "screw" | "cement" | null;
  /** Torque for the screw in N·cm. Null: not stated. */
  torque?: number | null;
  /** The origin of the soft-tissue part of the model around an implant: scanned, made by the laboratory, or none. Null: not stated. */
  gingiva?: "scanned" | "byLab" | "none" | null;
  /** The dentition that opposes the restoration: natural teeth, a restoration, an implant, a denture, nothing. Null: not stated. */
  antagonist?: "natural" | "restored" | "implant" | "denture" | "none" | null;
  /** The number of this order in the sender's own books. Null: none. */
  sourceOrder?: string | null;
  /** Words to the laboratory about the whole order. Required for orthodontics and, with at least 10 characters, for the type `other`. Null: none. */
  instructions?: string | null;
  /** `true`: the laboratory submits a treatment plan for confirmation before it designs. */
  schemeRequired?: boolean;
  /** The laboratory that gets the order. An order is sent only to one with which the organisation has an established relationship. Null: not chosen yet. */
  targetIid: string | null;
  /** The day on which the work is due, as a calendar day in the sender's time zone (YYYY-MM-DD). Null: not chosen; a new draft then gets a date a week ahead. */
  dueDate: string | null;
  /** `true`: the laboratory sees the patient's name masked (J*** S****). */
  maskName?: boolean;
  /** States whether the laboratory may forward the order to another one. Null: as the organisation has agreed with the laboratory. */
  mayForward?: boolean | null;
  /** `true`: if the laboratory forwards the order, the next one sees the patient's name as well. */
  namePasses?: boolean;
  /** `true`: the laboratory may make share links to the order. */
  labShares?: boolean;
  /** `true`: impressions or models come by post, so that the order may be sent without files. */
  noDigitalFiles?: boolean;
  /** All studies of the patient that go along; their files take the role that fits. Studies that are not named are taken out of the draft. */
  studies?: Array<string>;
  /** All other files that go along. Files that are not named are taken out of the draft. */
  uploads?: Array<{
    /** A finished upload, or a file that the draft contains already, by its identifier. */
    upload: string;
    /** The role of the file: a scan of a jaw or of the bite, a radiograph (`image`), a CT, a photograph, a document. */
    role: "upperScan" | "lowerScan" | "bite" | "image" | "ct" | "document" | "scheme" | "design" | "answer" | "photo";
  }>;
  /** The draft to change. If omitted: a new draft is made. */
  id?: string;
  /** The draft's `version` as the caller read it last. Required with `id`, left out for a new draft. */
  version?: number;
  /** The member who answers for the order; an assistant can't. If omitted for a new draft: its creator, or for an assistant the dentist of the patient's latest order; for a draft that exists: the same as before. */
  responsibleId?: string;
  /** `true`: the draft is submitted in the same transaction; the call is refused if required fields are missing. An assistant of a clinic can't send. */
  send?: boolean;
}

export interface OrderStepRequest {
  /** The order. */
  id: string;
  /** The action: one of the order's `actions`. `create` and `edit` are done by `order.save`; some are the system's. */
  action: "create" | "edit" | "delete" | "submit" | "handOver" | "transferFailed" | "recall" | "cancel" | "requestInfo" | "supplyInfo" | "accept" | "refuse" | "submitScheme" | "confirmScheme" | "returnScheme" | "submitDesign" | "confirmDesign" | "confirmDelivery" | "returnDesign" | "withdraw" | "backToScheme" | "backToDesign" | "dispatch" | "correctShipment" | "recallDispatch" | "confirmReceipt" | "redeliver" | "autoComplete" | "requestCancel" | "decideCancel" | "cancelByReceiver" | "prepareForward" | "forward" | "dropForward" | "childFailed" | "childDelivered" | "proposeChange" | "decideChange" | "assign";
  /** The record's `version` as the caller read it last. If somebody has changed the record since, the call is refused and nothing is written. */
  version: number;
  /** The reason; required to cancel, refuse, return, go back a stage, deliver again, and to decline with `approve: false`. The other side reads it. */
  reason?: string;
  /** Words to the other side: the question of `requestInfo`, the answer of `supplyInfo`, or a note with a plan or a design. */
  text?: string;
  /** Finished uploads that go along. Required for `submitDesign` without `delivered`, one of them a mesh, and for `submitScheme` and `supplyInfo` unless there are words; allowed for `redeliver` and `proposeChange`, refused with every other action. */
  files?: Array<{
    /** The finished upload. */
    upload: string;
    /** The role of the file. `submitScheme`, `submitDesign` and `redeliver` set it themselves. */
    role: "upperScan" | "lowerScan" | "bite" | "image" | "ct" | "document" | "scheme" | "design" | "answer" | "photo";
  }>;
  /** The `hash` of the newest plan or design, for `confirmScheme`, `confirmDesign` and `confirmDelivery`. The caller must have opened a design with `order.openRevision`. */
  revisionHash?: string;
  /** The carrier of a parcel, for `dispatch` and `correctShipment`. Required unless `handDelivery`. */
  carrier?: string;
  /** The parcel's tracking number, for `dispatch` and `correctShipment`. Required unless `handDelivery`. */
  trackingNumber?: string;
  /** `true`: the work is brought by hand, without a carrier. */
  handDelivery?: boolean;
  /** The day that the laboratory promises (YYYY-MM-DD). For `accept`, if omitted: the due date. Required to approve a change. */
  promisedDate?: string;
  /** The member of the laboratory who is to do the work: required for `assign`; for `accept`, if omitted: the person assigned already, or the caller. */
  assigneeId?: string;
  /** For `prepareForward`: the laboratory that gets the work. */
  targetIid?: string;
  /** The decision, for `decideCancel` and `decideChange`: `true` agrees, `false` declines and needs a `reason`. */
  approve?: boolean;
  /** The changed prescription, as a whole: required for `proposeChange`; allowed for `supplyInfo` while the order is not accepted. */
  prescription?: RxChangeInput;
  /** The kind of reason. `capacity`, `files`, `scope` and `terms` are for `refuse`; `patient`, `duplicate`, `mistake` and `otherLab` for `cancel`; `other` for both. Ignored by other actions. */
  reasonCode?: "patient" | "duplicate" | "mistake" | "otherLab" | "other" | "capacity" | "files" | "scope" | "terms";
  /** For `returnDesign`: what is wrong, item by item. */
  faults?: Array<DesignFaultInput>;
  /** For `prepareForward`: `true` if the other laboratory sends the work straight to the sender of the order. */
  straight?: boolean;
  /** For `prepareForward`: `true` if the sender of the order may see which laboratory makes the work. */
  showName?: boolean;
  /** For `submitDesign`: `true` submits the design that the other laboratory delivered, in place of `files`. */
  delivered?: boolean;
}

export type OrderStepResult = Order | null;

export interface PartnerInstitution {
  id: string;
  name: string;
  number: string;
  type: "clinic" | "lab";
  country: string;
  address: string | null;
  contactPerson: string | null;
  contactWay: string | null;
  longitude: number | null;
  latitude: number | null;
}

export interface Patient {
  id: string;
  number: string;
  name: string;
  sex: "male" | "female" | "other";
  birthDate: string | null;
  age: number | null;
  phone: string | null;
  entryNumber: string | null;
  createdAt: string;
  recentVisitAt: string | null;
  studies: number;
  orders: number;
  fixedLine: string | null;
  email: string | null;
  mailAddress: string | null;
  idNumber: string | null;
  passport: string | null;
  drivingLicence: string | null;
  insuranceNumber: string | null;
  certificateNumber: string | null;
  inspectionNumber: string | null;
  inspectedAt: string | null;
  allergies: string | null;
  pastHistory: string | null;
  diabetes: boolean | null;
  hypertension: boolean | null;
  familyGenetics: string | null;
  habits: Array<"smoking" | "mouthBreathing" | "nightGrinding" | "biting" | "sugar">;
  remark: string | null;
  createdBy: string;
  version: number;
}

export interface PatientCreateRequest {
  /** The patient's mobile number. Null or empty: none. */
  phone?: string | null;
  /** The landline number. Null or empty: none. */
  fixedLine?: string | null;
  /** The e-mail address. Null or empty: none. */
  email?: "" | string | null;
  /** The postal address. Null or empty: none. */
  mailAddress?: string | null;
  /** The number of the identity card. Null or empty: none. */
  idNumber?: string | null;
  /** The passport number. Null or empty: none. */
  passport?: string | null;
  /** The number of the driving licence. Null or empty: none. */
  drivingLicence?: string | null;
  /** The health insurance number. Null or empty: none. */
  insuranceNumber?: string | null;
  /** The number of another identity document. Null or empty: none. */
  certificateNumber?: string | null;
  /** The medical record number: the patient's number in the clinic's own books or practice software. Null or empty: none. */
  entryNumber?: string | null;
  /** The number of the examination. Null or empty: none. */
  inspectionNumber?: string | null;
  /** The time of the examination, as the clinic wrote it down: local time without a zone. Null: none. */
  inspectedAt?: string | null;
  /** Known allergies. Null or empty: nothing written down. */
  allergies?: string | null;
  /** Earlier illnesses and operations. Null or empty: nothing written down. */
  pastHistory?: string | null;
  /** States whether the patient has diabetes. Null: not asked. */
  diabetes?: boolean | null;
  /** States whether the patient has high blood pressure. Null: not asked. */
  hypertension?: boolean | null;
  /** Illnesses in the family and genetic history. Null or empty: nothing written down. */
  familyGenetics?: string | null;
  /** Oral habits of the patient. Empty: none. */
  habits?: Array<"smoking" | "mouthBreathing" | "nightGrinding" | "biting" | "sugar">;
  /** Notes about the patient. Null or empty: none. */
  remark?: string | null;
  /** The patient's name, family name and given name as the clinic writes them. */
  name: string;
  /** The patient's sex. */
  sex: "male" | "female" | "other";
  /** The birth date as a calendar day (YYYY-MM-DD). Null: unknown, then `age` is required. */
  birthDate?: string | null;
  /** The age in whole years, if the birth date is unknown; ignored with a birth date. The server keeps it with the day on which it was given, so that the patient grows older. */
  age?: number | null;
  /** `true`: saves the record although one of the same person may exist. Needed after the refusal `patientDuplicate`, which names the candidates. */
  evenIfDuplicate?: boolean;
}

export interface PatientListResult {
  list: Array<PatientRow>;
  total: number;
  next: string | null;
}

export interface PatientRow {
  id: string;
  number: string;
  name: string;
  sex: "male" | "female" | "other";
  birthDate: string | null;
  age: number | null;
  phone: string | null;
  entryNumber: string | null;
  createdAt: string;
  recentVisitAt: string | null;
  studies: number;
  orders: number;
}

export interface PatientTimelineResult {
  list: Array<{
    time: string;
    kind: "created" | "study" | "order" | "visit" | "analysis" | "tracing" | "report" | "consent" | "merge";
    id: string;
    label: string;
    studyId: string | null;
  }>;
  next: string | null;
}

export interface PatientUpdateRequest {
  /** The patient's mobile number. Null or empty: none. */
  phone?: string | null;
  /** The landline number. Null or empty: none. */
  fixedLine?: string | null;
  /** The e-mail address. Null or empty: none. */
  email?: "" | string | null;
  /** The postal address. Null or empty: none. */
  mailAddress?: string | null;
  /** The number of the identity card. Null or empty: none. */
  idNumber?: string | null;
  /** The passport number. Null or empty: none. */
  passport?: string | null;
  /** The number of the driving licence. Null or empty: none. */
  drivingLicence?: string | null;
  /** The health insurance number. Null or empty: none. */
  insuranceNumber?: string | null;
  /** The number of another identity document. Null or empty: none. */
  certificateNumber?: string | null;
  /** The medical record number: the patient's number in the clinic's own books or practice software. Null or empty: none. */
  entryNumber?: string | null;
  /** The number of the examination. Null or empty: none. */
  inspectionNumber?: string | null;
  /** The time of the examination, as the clinic wrote it down: local time without a zone. Null: none. */
  inspectedAt?: string | null;
  /** Known allergies. Null or empty: nothing written down. */
  allergies?: string | null;
  /** Earlier illnesses and operations. Null or empty: nothing written down. */
  pastHistory?: string | null;
  /** States whether the patient has diabetes. Null: not asked. */
  diabetes?: boolean | null;
  /** States whether the patient has high blood pressure. Null: not asked. */
  hypertension?: boolean | null;
  /** Illnesses in the family and genetic history. Null or empty: nothing written down. */
  familyGenetics?: string | null;
  /** Oral habits of the patient. Empty: none. */
  habits?: Array<"smoking" | "mouthBreathing" | "nightGrinding" | "biting" | "sugar">;
  /** Notes about the patient. Null or empty: none. */
  remark?: string | null;
  /** The patient's name, family name and given name as the clinic writes them. */
  name: string;
  /** The patient's sex. */
  sex: "male" | "female" | "other";
  /** The birth date as a calendar day (YYYY-MM-DD). Null: unknown, then `age` is required. */
  birthDate?: string | null;
  /** The age in whole years, if the birth date is unknown; ignored with a birth date. The server keeps it with the day on which it was given, so that the patient grows older. */
  age?: number | null;
  /** The patient. */
  id: string;
  /** The record's `version` as the caller read it last. If somebody has changed the record since, the call is refused and nothing is written. */
  version: number;
  /** `true`: saves the record although one of the same person may exist. Needed after the refusal `patientDuplicate`, which names the candidates. */
  evenIfDuplicate?: boolean;
}

export interface PracticeIssueCodeRequest {
  /** A person, or studies by their UIDs, accession number or ids: one of them is needed. */
  request: {
    /** The person whom the practice program names. */
    person?: {
      /** The practice's own number of the patient, or Arcada's. */
      number?: string;
      /** The full name, or family name, `^` and given name as in DICOM. */
      name?: string;
      /** The date of birth; null if it is not known. */
      birthDate?: string | null;
      /** The sex; null if it is not known. */
      sex?: "male" | "female" | "other" | null;
    };
    /** Study Instance UIDs; the first that the clinic has is opened. */
    studies?: Array<string>;
    /** The accession number of a study. */
    accession?: string;
    /** Ids of studies in Arcada. */
    studyIds?: Array<string>;
    /** Only this many of the newest studies. */
    newest?: number;
    /** Only studies from this local time on. */
    from?: string;
    /** Only studies up to this local time. */
    to?: string;
  };
  /** The id or email address of a member for whom alone the code works. If omitted: any member of the clinic. */
  user?: string;
}

export interface PracticeIssueCodeResult {
  code: string;
  expiresIn: number;
  path: string;
}

export interface RefusedFile {
  name: string;
  refusal: string;
}

export interface RelatedOrders {
  parent: {
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
  } | null;
  child: {
    order: {
      id: string;
      number: string;
      state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    } | null;
    labName: string | null;
    straight: boolean;
  } | null;
  delivered: boolean;
  mayForward: boolean;
  remakeOf: {
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    class: "lab" | "clinic" | "material" | "patient";
    bears: "open" | "lab" | "clinic" | "shared";
  } | null;
  remakes: Array<{
    id: string;
    number: string;
    state: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    class: "lab" | "clinic" | "material" | "patient";
    bears: "open" | "lab" | "clinic" | "shared";
  }>;
  copies: number;
}

export interface Relation {
  id: string;
  state: "requested" | "established" | "rejected" | "cancelled" | "closing" | "ended";
  other: PartnerInstitution;
  mine: boolean;
  requestedAt: string;
  establishedAt: string | null;
  endedAt: string | null;
  reason: string | null;
  leftByUs: boolean | null;
  resumeUntil: string | null;
  terms: {
    ours: {
      mayForward: boolean;
    } | null;
    theirs: {
      mayForward: boolean;
    } | null;
  };
  version: number;
  actions: Array<"request" | "accept" | "autoAccept" | "reject" | "cancel" | "resend" | "exit" | "resume" | "settle" | "hide" | "askAgain">;
}

export type RelationListResult = Array<Relation>;

export interface RxChange {
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  items: Array<OrderItem>;
  workKinds: Array<"design" | "machining">;
  jaws: Array<"maxilla" | "mandible">;
  implantSystem: string | null;
  fixType: "screw" | "cement" | null;
  torque: number | null;
  gingiva: "scanned" | "byLab" | "none" | null;
  antagonist: "natural" | "restored" | "implant" | "denture" | "none" | null;
  sourceOrder: string | null;
  instructions: string | null;
  schemeRequired: boolean;
  dueDate: string | null;
  noDigitalFiles: boolean;
}

export interface RxChangeInput {
  /** Type of the order. It decides which fields must be filled before the order is sent. */
  caseType: "restoration" | "implant" | "orthodontics" | "other";
  /** The items of the prescription, in the order in which documents list them. */
  items: Array<OrderItemInput>;
  /** The work of the laboratory: design only, machining only, or both. Design alone ends with digital delivery. */
  workKinds: Array<"design" | "machining">;
  /** The jaws that are treated. Required for orthodontics. */
  jaws?: Array<"maxilla" | "mandible">;
  /** Maker, line and connection of the implant, as text. Required for implant work. Null: none. */
  implantSystem?: string | null;
  /** States whether the restoration is screwed or cemented. Required for implant work. Null: none. */
  fixType?: "screw" | "cement" | null;
  /** Torque for the screw in N·cm. Null: not stated. */
  torque?: number | null;
  /** The origin of the soft-tissue part of the model around an implant: scanned, made by the laboratory, or none. Null: not stated. */
  gingiva?: "scanned" | "byLab" | "none" | null;
  /** The dentition that opposes the restoration: natural teeth, a restoration, an implant, a denture, nothing. Null: not stated. */
  antagonist?: "natural" | "restored" | "implant" | "denture" | "none" | null;
  /** The number of this order in the sender's own books. Null: none. */
  sourceOrder?: string | null;
  /** Words to the laboratory about the whole order. Required for orthodontics and, with at least 10 characters, for the type `other`. Null: none. */
  instructions?: string | null;
  /** `true`: the laboratory submits a treatment plan for confirmation before it designs. */
  schemeRequired?: boolean;
  /** The day on which the work is due, as a calendar day in the sender's time zone (YYYY-MM-DD). Null: none. */
  dueDate: string | null;
  /** `true`: impressions or models come by post, so that the order may be sent without files. */
  noDigitalFiles?: boolean;
}

export interface RxRevision {
  revision: number;
  time: string;
  prescription: {
    caseType?: "restoration" | "implant" | "orthodontics" | "other";
    items: Array<OrderItem>;
    workKinds: Array<"design" | "machining">;
    jaws: Array<"maxilla" | "mandible">;
    implantSystem: string | null;
    fixType: "screw" | "cement" | null;
    torque: number | null;
    gingiva: "scanned" | "byLab" | "none" | null;
    antagonist: "natural" | "restored" | "implant" | "denture" | "none" | null;
    sourceOrder: string | null;
    instructions: string | null;
    schemeRequired: boolean;
    dueDate?: string | null;
    mayForward: boolean | null;
    namePasses: boolean;
    labShares: boolean;
    noDigitalFiles: boolean;
  };
}

export interface StateDrawing {
  graphics: Array<{
    points: Array<Array<number>>;
    isFilled: boolean;
    frames: Array<number>;
  }>;
  words: Array<{
    words: string;
    at: Array<number>;
    frames: Array<number>;
  }>;
  shutter: {
    outlines: Array<Array<Array<number>>>;
    shade: number;
  } | null;
  turns: 0 | 1 | 2 | 3;
  mirrored: boolean;
  area: {
    left: number;
    top: number;
    right: number;
    bottom: number;
  } | null;
}

export interface StreamingCopy {
  url: string;
  error: number;
  coarse: {
    url: string;
    error: number;
  } | null;
}

export interface Study {
  id: string;
  patientId: string | null;
  kind: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "video" | "model" | "document";
  kindCertain: boolean;
  photoView: "face.rest" | "face.smile" | "face.profileR" | "mouth.front" | "mouth.right" | "mouth.left" | "mouth.upper" | "mouth.lower" | null;
  state: "converting" | "ready" | "unconverted" | "failed";
  takenAt: string | null;
  createdAt: string;
  description: string | null;
  modality: string | null;
  count: number;
  bytes: number;
  thumbnailUrl: string | null;
  patientName: string;
  named: {
    name: string;
    guessed: boolean;
  } | null;
  header: Array<{
    key: string;
    value: string;
  }>;
  series: Array<ImageSeries>;
}

export interface StudyAttachRequest {
  /** The study. */
  id: string;
  /** The patient to whom a study of the inbox belongs. If omitted: the study stays where it is. */
  patientId?: string;
  /** The kind of the study from now on. If omitted: as it is. */
  kind?: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "model";
  /** `true`: the files belong to this patient although they name another person. */
  acceptMismatch?: boolean;
}

export interface StudyCancelJobRequest {
  /** The job to stop. */
  id: string;
}

export interface StudyConversionResult {
  state: "converting" | "ready" | "unconverted" | "failed";
  isShown: boolean;
  again: boolean;
  job: string | null;
  progress: number;
}

export interface StudyConvertRequest {
  /** The study. */
  id: string;
}

export interface StudyConvertResult {
  state: "converting" | "ready" | "unconverted" | "failed";
  isShown: boolean;
  again: boolean;
  job: string | null;
  progress: number;
}

export interface StudyDownloadRequest {
  /** Studies of one patient. */
  studies: Array<string>;
  /** De-identifies the files. If omitted: the files as they came. */
  nameless?: {
    /** Replaces the patient's name and number: letters, digits, space, `_`, `.` and `-`. If omitted: one is made. */
    pseudonym?: string;
    /** `removed`; `moved`: all dates of the patient are shifted by the same number of days; `kept`. */
    dates?: "removed" | "moved" | "kept";
  };
}

export interface StudyDownloadResult {
  id: string;
  url: string;
  files: number;
  bytes: number;
}

export interface StudyDownloadStateResult {
  id: string;
  state: "waiting" | "running" | "done" | "failed";
  files: number;
  done: number;
}

export type StudyListResult = Array<StudyRow>;

export interface StudyMarksResult {
  version: number;
  marks: Array<Annotation>;
}

export interface StudyOpenRequest {
  /** The patient. */
  patientId: string;
  /** Kind of all images. `dentalFilm`: an intraoral radiograph; `xRay`: any other radiograph; `model`: a 3D scan. If omitted: recognised from each file. */
  kind?: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "model";
  /** Finished uploads: files, or ZIP archives of files. */
  uploads: Array<string>;
  /** The view of each photograph of an orthodontic series, by the identifier of its upload. */
  photoViews?: {
    [name: string]: "face.rest" | "face.smile" | "face.profileR" | "mouth.front" | "mouth.right" | "mouth.left" | "mouth.upper" | "mouth.lower";
  };
  /** `true`: the files belong to this patient although they name another person. Otherwise their study waits for an answer (`study.answer`). */
  acceptMismatch?: boolean;
}

export interface StudyRow {
  id: string;
  patientId: string | null;
  kind: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "video" | "model" | "document";
  kindCertain: boolean;
  photoView: "face.rest" | "face.smile" | "face.profileR" | "mouth.front" | "mouth.right" | "mouth.left" | "mouth.upper" | "mouth.lower" | null;
  state: "converting" | "ready" | "unconverted" | "failed";
  takenAt: string | null;
  createdAt: string;
  description: string | null;
  modality: string | null;
  count: number;
  bytes: number;
  thumbnailUrl: string | null;
}

export interface VolumeInfo {
  columns: number;
  rows: number;
  slices: number;
  spacing: Array<number>;
  origin: Array<number>;
  direction: Array<number>;
  min: number;
  max: number;
  window: GreyWindow;
  fileWindow?: GreyWindow;
  valueOffset: number;
  valueScale: number;
  valueName: "HU" | "grey";
}

/** The calls that a key of an organisation may make, with what they take and return. */
export interface Calls {
  /** By a key: makes a single-use code that opens this product as `?token=` for a member of its organisation who allowed it. Scope: launch. */
  "launch.code": { input: LaunchCodeRequest; output: LaunchCodeResult };
  /** The session's organisation. Scope: organisation.read. */
  "institution.detail": { input: Record<string, unknown>; output: Institution };
  /** The received orders that a laboratory designs now, and the present state of the others that its agent has delivered. Scope: lab.agent. */
  "agent.orders": { input: AgentOrdersRequest; output: AgentOrdersResult };
  /** Prepares the archive of an order that is designed now, as a project of exocad, for the laboratory's agent. Scope: lab.agent. */
  "agent.fetch": { input: AgentFetchRequest; output: AgentFetchResult };
  /** Submits a design that the laboratory's agent found in the case's folder, as a new revision. A design that still waits for its approval is withdrawn first; the files of the newest revision make none. Scope: lab.agent. */
  "agent.submit": { input: AgentSubmitRequest; output: AgentSubmitResult };
  /** Says how a laboratory's agent does; its managers see it beside the agent's key. Scope: lab.agent. */
  "agent.report": { input: AgentReportRequest; output: AgentReportResult };
  /** The newest package of the agent's own program above a version, or null. Scope: lab.agent. */
  "agent.program": { input: {
    /** The program for one operating system, as its packages are published. */
    product: "Arcada Gateway linux-x64" | "Arcada Gateway win-x64" | "Arcada Gateway darwin-arm64";
    /** The version that runs now: only a higher one is offered. */
    version: string;
  }; output: AgentProgramResult };
  /** The organisation's relationships, newest first. Scope: organisation.read. */
  "relation.list": { input: {
    /** Only relationships in this state. If omitted: all. */
    state?: "requested" | "established" | "rejected" | "cancelled" | "closing" | "ended";
  }; output: RelationListResult };
  /** The clinic's patients; search over name, pinyin initials, number, phone and entry number. Scope: patients.read. */
  "patient.list": { input: {
    /** Words of the name, the patient number, the medical record number or the mobile number. Chinese names are also found by their pinyin. */
    search?: string;
    /** Only patients of this sex. */
    sex?: "male" | "female" | "other";
    /** Youngest age in whole years, included. */
    ageFrom?: number;
    /** Oldest age in whole years, included. */
    ageTo?: number;
    /** First day of the creation (YYYY-MM-DD), in the organisation's time zone. */
    createdFrom?: string;
    /** Last day of the creation (YYYY-MM-DD), included, in the organisation's time zone. */
    createdTo?: string;
    /** First day of the latest visit (YYYY-MM-DD), in the organisation's time zone. */
    visitFrom?: string;
    /** Last day of the latest visit (YYYY-MM-DD), included, in the organisation's time zone. */
    visitTo?: string;
    /** `yes`: only patients with a CT; `no`: only those without one. */
    ct?: "yes" | "no";
    /** `yes`: only patients with a health report that is not withdrawn; `no`: only those without one. */
    report?: "yes" | "no";
    /** The property by which patients are sorted. */
    sort?: "recentVisitAt" | "createdAt" | "name" | "age";
    /** Direction of the sort: `up` from the smallest, earliest or youngest. If omitted: downwards for dates of the past and order numbers, else upwards. */
    way?: "up" | "down";
    /** The `next` of the answer before, for the page that follows it. If omitted: the first page. Clients store it as it is and never build one. */
    cursor?: string;
    /** The most rows that one answer contains. */
    pageSize?: number;
  }; output: PatientListResult };
  /** One patient's record. Scope: patients.read. */
  "patient.detail": { input: {
    /** The patient. */
    id: string;
  }; output: Patient };
  /** Makes a patient. Candidates for the same person are refused once with patientDuplicate unless `evenIfDuplicate`. Scope: patients.write. */
  "patient.create": { input: PatientCreateRequest; output: Patient };
  /** Changes a patient's record, from the version that was seen. A name, birth date or identity number that now names somebody else's record too is asked about as in create. Scope: patients.write. */
  "patient.update": { input: PatientUpdateRequest; output: Patient };
  /** What happened to a patient, newest first; `kinds` names those wanted, with commas between. Scope: patients.read. */
  "patient.timeline": { input: {
    /** The patient. */
    id: string;
    /** The kinds of events wanted, with commas between. If omitted or empty: all. */
    kinds?: string;
    /** The `next` of the answer before, for the page that follows it. If omitted: the first page. Clients store it as it is and never build one. */
    cursor?: string;
    /** The most rows that one answer contains. */
    pageSize?: number;
  }; output: PatientTimelineResult };
  /** By a key: makes a single-use code, good for 60 seconds, that opens a patient or study. It signs nobody in; with a user, it works for them alone. Scope: patients.launch. */
  "practice.issueCode": { input: PracticeIssueCodeRequest; output: PracticeIssueCodeResult };
  /** The studies of one patient. Scope: studies.read. */
  "study.list": { input: {
    /** The patient. */
    patientId: string;
    /** Only studies of this kind. If omitted: all. */
    kind?: "panorama" | "lateralCeph" | "dentalFilm" | "xRay" | "ct" | "photo" | "video" | "model" | "document";
  }; output: StudyListResult };
  /** One study with its series and the addresses of what viewers show. A lab sees those of its orders. Scope: studies.read. */
  "study.detail": { input: {
    /** The study. */
    id: string;
    /** `true`: of a volume only the first file, and files that are shown or faulty by themselves. */
    brief?: string;
  }; output: Study };
  /** Gives a study of the inbox its patient, or changes a study's kind. Scope: studies.write. */
  "study.attach": { input: StudyAttachRequest; output: StudyRow };
  /** Ends an upload: the named uploads become the patient's studies in a job. Scope: studies.write. */
  "study.open": { input: StudyOpenRequest; output: IngestJob };
  /** How far an ingest is, and what was refused. Scope: studies.read. */
  "study.job": { input: {
    /** The job that `study.open` or `study.send` began. */
    id: string;
  }; output: IngestJob };
  /** Stops an ingest that has not finished, nothing of it stays; or the making of files for viewers, the originals stay. Scope: studies.write. */
  "study.cancelJob": { input: StudyCancelJobRequest; output: IngestJob };
  /** Makes a study's files for viewers again, where they were removed or could not be made; asked again, it goes on. Scope: studies.read. */
  "study.convert": { input: StudyConvertRequest; output: StudyConvertResult };
  /** How far the making of a study's files for viewers is. Scope: studies.read. */
  "study.conversion": { input: {
    /** The study. */
    id: string;
  }; output: StudyConversionResult };
  /** Measurements and annotations of a study, as they are or as they were in a version. Scope: studies.read. */
  "study.marks": { input: {
    /** The study. */
    id: string;
    /** A past version. If omitted: the newest. */
    version?: number;
  }; output: StudyMarksResult };
  /** Prepares one archive of one patient's studies, as they came or de-identified; answers its short-lived address. A lab gets one study that an order brings, without names where they are hidden. Scope: studies.read. */
  "study.download": { input: StudyDownloadRequest; output: StudyDownloadResult };
  /** How many files of an archive have been written. Scope: studies.read. */
  "study.downloadState": { input: {
    /** The archive that `study.download` prepared. */
    id: string;
  }; output: StudyDownloadStateResult };
  /** Orders that this organisation sent or received; behind a cursor a page costs what the first one does. Scope: orders.read. */
  "order.list": { input: {
    /** Number of the page, beginning with 1. */
    page?: number;
    /** The most rows that one answer contains. */
    pageSize?: number;
    /** The `next` of the answer before, for the page that follows it. If omitted: the first page. Clients store it as it is and never build one. */
    cursor?: string;
    /** Only orders in this state. */
    state?: "draft" | "awaiting_sending" | "pending" | "awaiting_scheme" | "awaiting_design" | "awaiting_dispatch" | "awaiting_receipt" | "forwarded" | "completed" | "cancelled" | "refused";
    /** Only orders in one of these states, with commas between. */
    states?: string;
    /** The beginning of an order number; or words of the patient's name or number; or the name or number of the organisation on the other side. */
    search?: string;
    /** `mine`: only orders in which the caller's organisation has to act. */
    turn?: "mine";
    /** Only orders with this task of the caller's organisation. For the sender: `answer` a question, `reviewScheme` and `reviewDesign`, `receive`, `resend`. For the receiver: `accept`, `plan`, `design`, `ship`, `forward`; `atClinic` and `shipped` wait for the sender. */
    task?: "answer" | "reviewScheme" | "reviewDesign" | "receive" | "resend" | "accept" | "plan" | "design" | "ship" | "forward" | "atClinic" | "shipped";
    /** Only orders of this patient. */
    patientId?: string;
    /** Only orders of this type. */
    caseType?: "restoration" | "implant" | "orthodontics" | "other";
    /** Only orders with this organisation on the other side. */
    otherIid?: string;
    /** Only orders of this person of the caller's organisation: as the responsible dentist of sent orders, as the assignee of received ones. */
    personId?: string;
    /** First day of the creation (YYYY-MM-DD), in the organisation's time zone. */
    createdFrom?: string;
    /** Last day of the creation (YYYY-MM-DD), included, in the organisation's time zone. */
    createdTo?: string;
    /** First due date (YYYY-MM-DD). Orders without one are left out. */
    dueFrom?: string;
    /** Last due date (YYYY-MM-DD), included. */
    dueTo?: string;
    /** First day on which the order was handed over to the receiver (YYYY-MM-DD), in the organisation's time zone. */
    sentFrom?: string;
    /** Last day on which the order was handed over to the receiver (YYYY-MM-DD), included, in the organisation's time zone. */
    sentTo?: string;
    /** First day of the completion (YYYY-MM-DD), in the organisation's time zone. */
    completedFrom?: string;
    /** Last day of the completion (YYYY-MM-DD), included, in the organisation's time zone. */
    completedTo?: string;
    /** Only orders that were open at the end of this day: handed over before, and neither dispatched, completed nor ended. */
    openOn?: string;
    /** Only delivered orders: `late` after their due date, `onTime` not after it. Orders without a due date are left out. */
    delivered?: "late" | "onTime";
    /** Only remakes: `any`, or of one cause; `unstated`: those without a cause. */
    remake?: "any" | "lab" | "clinic" | "material" | "patient" | "unstated";
    /** Only orders that the caller's organisation sent, or that it received. If omitted: both. */
    list?: "sent" | "received";
    /** The property by which orders are sorted. If omitted: the creation or the due date if the filter limits that one, else the latest change. */
    sort?: "number" | "created" | "updated" | "due" | "patient" | "state";
    /** Direction of the sort: `up` from the smallest, earliest or youngest. If omitted: downwards for dates of the past and order numbers, else upwards. */
    way?: "up" | "down";
  }; output: OrderListResult };
  /** How many orders stand in each state, and how many wait for this organisation. Scope: orders.read. */
  "order.counts": { input: Record<string, unknown>; output: OrderCountsResult };
  /** One order with its prescription, files, revisions, timeline, messages and the actions open to the reader. Scope: orders.read. */
  "order.detail": { input: {
    /** The order. */
    id: string;
  }; output: Order };
  /** Makes a draft or changes one; with `send` it is submitted in the same transaction. Scope: orders.write. */
  "order.save": { input: OrderSaveRequest; output: Order };
  /** Moves an order by one action of its life cycle. Scope: orders.write. */
  "order.step": { input: OrderStepRequest; output: OrderStepResult };
  /** Says something to the other side of an order. Scope: orders.write. */
  "order.message": { input: MessageInputInput; output: OrderMessage };
  /** Makes a new draft with the same prescription. Scope: orders.write. */
  "order.copy": { input: OrderCopyRequest; output: Order };
  /** Prepares one archive of the files of an order, or of some of them, with a manifest of their hashes; answers its short-lived address. A lab gets what it may take, without names where they are hidden. Scope: orders.read. */
  "order.download": { input: OrderDownloadRequest; output: OrderDownloadResult };
  /** Changes the draft by which a lab passes an order on; with `send` it is submitted in the same transaction. Scope: orders.write. */
  "order.saveChild": { input: OrderSaveChildRequest; output: Order };
  /** Makes a new draft of a completed order whose work has to be made again. Scope: orders.write. */
  "order.remake": { input: OrderRemakeRequest; output: Order };
  /** The short-lived address of an order's prescription on paper: a PDF in A4, as the asker may know it. Scope: orders.read. */
  "order.prescription": { input: {
    /** The order. */
    id: string;
    /** Language of the document, Chinese or English. If omitted: the language of the request. */
    lang?: "zh" | "en";
    /** Tooth notation of the document: FDI (ISO 3950), Palmer or Universal. */
    teeth?: "fdi" | "palmer" | "universal";
  }; output: OrderPrescriptionResult };
  /** Says that the asker has opened a scheme or a design; a design can be approved only after this. Scope: orders.write. */
  "order.openRevision": { input: OrderOpenRevisionRequest; output: null };
  /** Comments at places of an order's models, with their answers. Scope: orders.read. */
  "order.pins": { input: {
    /** The order. */
    id: string;
  }; output: OrderPinsResult };
  /** The prescription of an order as it was handed over and after each change. Scope: orders.read. */
  "order.rx": { input: {
    /** The order. */
    id: string;
  }; output: OrderRxResult };
}

/** The method and the address of each call. */
export const callRoutes = {
  "launch.code": ["POST", "/v1/base/launchCode"],
  "institution.detail": ["GET", "/v1/institution/detail"],
  "agent.orders": ["POST", "/v1/agent/orders"],
  "agent.fetch": ["POST", "/v1/agent/fetch"],
  "agent.submit": ["POST", "/v1/agent/submit"],
  "agent.report": ["POST", "/v1/agent/report"],
  "agent.program": ["GET", "/v1/agent/program"],
  "relation.list": ["GET", "/v1/relation/list"],
  "patient.list": ["GET", "/v1/patient/list"],
  "patient.detail": ["GET", "/v1/patient/detail"],
  "patient.create": ["POST", "/v1/patient/create"],
  "patient.update": ["POST", "/v1/patient/update"],
  "patient.timeline": ["GET", "/v1/patient/timeline"],
  "practice.issueCode": ["POST", "/v1/practice/code"],
  "study.list": ["GET", "/v1/study/list"],
  "study.detail": ["GET", "/v1/study/detail"],
  "study.attach": ["POST", "/v1/study/attach"],
  "study.open": ["POST", "/v1/study/open"],
  "study.job": ["GET", "/v1/study/job"],
  "study.cancelJob": ["POST", "/v1/study/cancelJob"],
  "study.convert": ["POST", "/v1/study/convert"],
  "study.conversion": ["GET", "/v1/study/conversion"],
  "study.marks": ["GET", "/v1/study/marks"],
  "study.download": ["POST", "/v1/study/download"],
  "study.downloadState": ["GET", "/v1/study/downloadState"],
  "order.list": ["GET", "/v1/order/list"],
  "order.counts": ["GET", "/v1/order/counts"],
  "order.detail": ["GET", "/v1/order/detail"],
  "order.save": ["POST", "/v1/order/save"],
  "order.step": ["POST", "/v1/order/step"],
  "order.message": ["POST", "/v1/order/message"],
  "order.copy": ["POST", "/v1/order/copy"],
  "order.download": ["POST", "/v1/order/download"],
  "order.saveChild": ["POST", "/v1/order/saveChild"],
  "order.remake": ["POST", "/v1/order/remake"],
  "order.prescription": ["GET", "/v1/order/prescription"],
  "order.openRevision": ["POST", "/v1/order/openRevision"],
  "order.pins": ["GET", "/v1/order/pins"],
  "order.rx": ["GET", "/v1/order/rx"],
} as const satisfies Record<keyof Calls, readonly [method: string, path: string]>;
