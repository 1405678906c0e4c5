/** Kinds of work whose costs `npm run bench -- costs` measures one by one. */
export const measuredKinds = [
  "signIn",
  "smallCall",
  "patientList",
  "patientSearch",
  "patientDetail",
  "patientCreate",
  "orderList",
  "orderDetail",
  "dayPage",
  "orderStep",
  "filmUpload",
  "scanUpload",
  "cbctUpload",
  "cbctOpen",
] as const;
export type MeasuredKind = (typeof measuredKinds)[number];

/** Everything that a day consists of. The cost of an analysis is a figure of the benchmark `engine`. */
export const workKinds = [...measuredKinds, "analysis"] as const;
export type WorkKind = (typeof workKinds)[number];

export const workTitles: Record<WorkKind, string> = {
  signIn: "sign in by password",
  smallCall: "small call beside a page, such as the counts of the orders",
  patientList: "page of the patient list",
  patientSearch: "search for a patient's name",
  patientDetail: "open a patient",
  patientCreate: "register a patient",
  orderList: "page of the order list",
  orderDetail: "open an order",
  dayPage: "page for the day",
  orderStep: "step of an order, which is read before",
  filmUpload: "panorama or cephalogram, from its upload until it is converted",
  scanUpload: "scan of a jaw, from its upload until it is converted",
  cbctUpload: "CBCT, from its upload until it is converted and measured",
  cbctOpen: "open a CBCT, all slices",
  analysis: "analysis of a panorama by an engine that comes with Arcada",
};

/** The work of a clinic in a day. The counts of work are of one working day. */
export interface ClinicDay {
  /** People who have a page open, each with one event stream, at the busiest time. */
  people: number;
  hours: number;
  workingDays: number;
  /** The share of the day's work that falls into its busiest hour. */
  peakShare: number;
  work: Record<WorkKind, number>;
}

/**
 * An assumption, not a measurement: a practice with four chairs, ten people at screens and forty visits a day, which
 * takes CBCTs itself and sends its prosthetic work to laboratories by scans. Change it for your own clinics.
 */
export const ordinaryDay: ClinicDay = {
  people: 10,
  hours: 9,
  workingDays: 250,
  peakShare: 0.2,
  work: {
    signIn: 12,
    // Fifty pages an hour at the six screens that are in use, each with three small calls beside its main one.
    smallCall: 3 * 2700,
    patientList: 900,
    patientSearch: 300,
    patientDetail: 900,
    patientCreate: 6,
    orderList: 250,
    orderDetail: 150,
    dayPage: 200,
    // Four orders a day with eight steps each on both sides.
    orderStep: 32,
    filmUpload: 12,
    scanUpload: 8,
    cbctUpload: 3,
    // Each CBCT is opened by the dentist, again at the consultation, and by a laboratory.
    cbctOpen: 9,
    // Half of the films are panoramas, and the operator has switched the engine on.
    analysis: 6,
  },
};
