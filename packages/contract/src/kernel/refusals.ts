/** How the web shows a refusal: a toast, beside the form's fields, as a page, by asking to sign in again, or not at all. */
export type Show = "toast" | "form" | "page" | "signInAgain" | "nothing";
export interface Refusal {
  code: number;
  status: 400 | 401 | 403 | 404 | 406 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 507;
  show: Show;
}

/**
 * Every way in which the server says no. The texts stand under the same names in texts/<language>/refusals.json.
 * 200001, 200002 and the 5000x are the wire's own; ours begin with the HTTP status they travel with.
 */
export const refusals = {
  badInput: { code: 40001, status: 400, show: "form" },
  badJson: { code: 40002, status: 400, show: "toast" },
  notAcceptable: { code: 40601, status: 406, show: "toast" },
  unsupportedMedia: { code: 41501, status: 415, show: "toast" },
  tooLarge: { code: 41301, status: 413, show: "toast" },
  unknownSession: { code: 50008, status: 401, show: "signInAgain" },
  signedOutElsewhere: { code: 50012, status: 401, show: "signInAgain" },
  sessionExpired: { code: 50014, status: 401, show: "signInAgain" },
  notAllowed: { code: 40301, status: 403, show: "page" },
  notFound: { code: 40401, status: 404, show: "page" },
  tooManyRequests: { code: 42901, status: 429, show: "toast" },
  internal: { code: 50001, status: 500, show: "toast" },
  unavailable: { code: 50301, status: 503, show: "toast" },
  storageFull: { code: 50701, status: 507, show: "toast" },
  keyReused: { code: 40901, status: 409, show: "toast" },

  accountUnknown: { code: 200001, status: 404, show: "nothing" },
  humanNeeded: { code: 200002, status: 429, show: "nothing" },
  humanWrong: { code: 42201, status: 422, show: "form" },
  accountTaken: { code: 40902, status: 409, show: "form" },
  wrongPassword: { code: 40101, status: 401, show: "form" },
  passwordCommon: { code: 42202, status: 422, show: "form" },
  codeWrong: { code: 42203, status: 422, show: "form" },
  codeTooSoon: { code: 42902, status: 429, show: "form" },
  codeTooMany: { code: 42903, status: 429, show: "form" },
  codeNeeded: { code: 40102, status: 401, show: "form" },
  loginDelayed: { code: 42904, status: 429, show: "form" },
  ticketSpent: { code: 42204, status: 422, show: "form" },
  accountSuspended: { code: 40302, status: 403, show: "form" },
  exchangeSpent: { code: 40103, status: 401, show: "toast" },
  countryFixed: { code: 40950, status: 409, show: "form" },
  contactLast: { code: 40951, status: 409, show: "form" },
  emailNotBound: { code: 42250, status: 422, show: "form" },
  avatarUnreadable: { code: 42251, status: 422, show: "form" },
  roleNotHeld: { code: 40303, status: 403, show: "toast" },

  factorNeeded: { code: 40104, status: 401, show: "form" },
  factorRequired: { code: 40380, status: 403, show: "page" },
  factorWrong: { code: 42280, status: 422, show: "form" },
  stepSpent: { code: 42281, status: 422, show: "form" },
  passkeyWrong: { code: 42282, status: 422, show: "form" },
  passkeyTooMany: { code: 42283, status: 422, show: "form" },
  factorOwnFirst: { code: 42284, status: 422, show: "form" },
  totpThere: { code: 40980, status: 409, show: "toast" },
  providerUnknown: { code: 40480, status: 404, show: "page" },
  providerAway: { code: 50380, status: 503, show: "page" },
  providerFailed: { code: 40180, status: 401, show: "page" },
  providerUnverified: { code: 40381, status: 403, show: "page" },

  institutionUnknown: { code: 40402, status: 404, show: "form" },
  logoUnreadable: { code: 42291, status: 422, show: "form" },
  logoTooLarge: { code: 41360, status: 413, show: "form" },
  logoNotWhite: { code: 42292, status: 422, show: "form" },
  logoWhite: { code: 42293, status: 422, show: "form" },
  exportRuns: { code: 40960, status: 409, show: "toast" },
  importBroken: { code: 42294, status: 422, show: "toast" },
  importVersion: { code: 42295, status: 422, show: "toast" },
  importExists: { code: 40961, status: 409, show: "toast" },
  importBusy: { code: 40962, status: 409, show: "toast" },
  relationExists: { code: 40903, status: 409, show: "toast" },
  relationSelf: { code: 42205, status: 422, show: "toast" },
  relationNeedsTwoSides: { code: 42206, status: 422, show: "toast" },
  relationChanged: { code: 40904, status: 409, show: "toast" },
  relationActionNotAllowed: { code: 40905, status: 409, show: "toast" },
  relationAskedLately: { code: 42905, status: 429, show: "toast" },
  relationResentLately: { code: 42930, status: 429, show: "toast" },
  relationInvitedTooMany: { code: 42931, status: 429, show: "form" },
  relationInvitedAlready: { code: 40930, status: 409, show: "form" },

  memberExists: { code: 40940, status: 409, show: "form" },
  invitationOpen: { code: 40941, status: 409, show: "form" },
  applicationOpen: { code: 40942, status: 409, show: "form" },
  lastManager: { code: 40943, status: 409, show: "form" },
  memberChanged: { code: 40944, status: 409, show: "toast" },
  memberActionNotAllowed: { code: 40945, status: 409, show: "toast" },
  applyAgainLater: { code: 42940, status: 429, show: "form" },
  memberTooMany: { code: 42941, status: 429, show: "form" },
  memberRoleUnfit: { code: 42240, status: 422, show: "form" },
  colleagueUnfit: { code: 42241, status: 422, show: "form" },
  invitationSpent: { code: 42242, status: 422, show: "form" },
  invitationUnknown: { code: 40430, status: 404, show: "page" },
  invitationOtherAccount: { code: 40330, status: 403, show: "form" },

  patientDuplicate: { code: 40906, status: 409, show: "form" },
  patientChanged: { code: 40907, status: 409, show: "form" },
  patientHasOrders: { code: 40908, status: 409, show: "toast" },

  uploadUnknown: { code: 40403, status: 404, show: "toast" },
  uploadIncomplete: { code: 42207, status: 422, show: "toast" },
  uploadMismatch: { code: 42208, status: 422, show: "toast" },
  uploadOffset: { code: 40916, status: 409, show: "nothing" },
  fileEmpty: { code: 42209, status: 422, show: "toast" },
  fileUnknown: { code: 42210, status: 422, show: "toast" },
  fileNotDicom: { code: 42211, status: 422, show: "toast" },
  fileTruncated: { code: 42212, status: 422, show: "toast" },
  fileUnsupported: { code: 42213, status: 422, show: "toast" },
  fileBroken: { code: 42214, status: 422, show: "toast" },
  fileTooSlow: { code: 42227, status: 422, show: "toast" },
  fileDamaged: { code: 42228, status: 422, show: "toast" },
  conversionDied: { code: 42229, status: 422, show: "toast" },
  zipEncrypted: { code: 42215, status: 422, show: "toast" },
  zipNested: { code: 42216, status: 422, show: "toast" },
  zipBomb: { code: 42217, status: 422, show: "toast" },
  zipPath: { code: 42218, status: 422, show: "toast" },
  zipBroken: { code: 42219, status: 422, show: "toast" },
  zipUploadFirst: { code: 42261, status: 422, show: "toast" },
  unzipFirst: { code: 42262, status: 422, show: "toast" },
  unzipInProgress: { code: 40975, status: 409, show: "toast" },
  quotaExceeded: { code: 50702, status: 507, show: "toast" },
  patientMismatch: { code: 40909, status: 409, show: "form" },
  studyBusy: { code: 40910, status: 409, show: "toast" },
  studyElsewhere: { code: 40970, status: 409, show: "toast" },
  studyTwice: { code: 40971, status: 409, show: "toast" },
  marksChanged: { code: 40917, status: 409, show: "toast" },
  linkExpired: { code: 40304, status: 403, show: "toast" },

  orderChanged: { code: 40911, status: 409, show: "toast" },
  orderActionNotAllowed: { code: 40912, status: 409, show: "toast" },
  orderIncomplete: { code: 42220, status: 422, show: "form" },
  orderNoRelation: { code: 42221, status: 422, show: "form" },
  orderReasonMissing: { code: 42222, status: 422, show: "form" },
  orderFilesMissing: { code: 42223, status: 422, show: "form" },
  orderShipmentMissing: { code: 42224, status: 422, show: "form" },
  orderRevisionStale: { code: 40913, status: 409, show: "toast" },
  orderFileForeign: { code: 42225, status: 422, show: "form" },
  orderRequestOpen: { code: 40914, status: 409, show: "toast" },
  orderNoRequest: { code: 40915, status: 409, show: "toast" },
  orderRecallTooLate: { code: 42226, status: 422, show: "toast" },

  shareGone: { code: 40470, status: 404, show: "page" },
  shareLocked: { code: 40370, status: 403, show: "page" },
  shareVisitOver: { code: 40170, status: 401, show: "page" },
  shareFactorWrong: { code: 42270, status: 422, show: "form" },
  shareFactorWait: { code: 42970, status: 429, show: "form" },
  shareFactorNeeded: { code: 42271, status: 422, show: "form" },
  sharePatientLacks: { code: 42272, status: 422, show: "form" },
  shareTooLong: { code: 42273, status: 422, show: "toast" },
  shareCodeLately: { code: 42971, status: 429, show: "form" },
  shareActionNotAllowed: { code: 40990, status: 409, show: "toast" },

  noticeFixed: { code: 42260, status: 422, show: "toast" },
} as const satisfies Record<string, Refusal>;

export type RefusalName = keyof typeof refusals;

/** The body of every answer. Code 200 is success. */
export interface Envelope<T = unknown> {
  code: number;
  msg: string;
  data: T;
}
export const successCode = 200;
