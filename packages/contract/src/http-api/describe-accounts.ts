import { exampleId } from "./example-values.ts";
import type { PropertyWords } from "./property-words.ts";

const proofByPassword = {
  says: "The caller's password once more, as a proof of who they are. Either this or `code` is required of everybody who has one.",
  example: "correct-horse-battery",
};
const proofUnlessRecent = {
  ...proofByPassword,
  says: `${proofByPassword.says} Neither is needed within 15 minutes of a sign-in or another proof.`,
};
const proofByCode = {
  says: "A code of the authenticator app (6 digits) or a recovery code, as a proof of who the caller is, in place of the password.",
  example: "204816",
};
const verificationCode = "The code that was sent: 6 digits, or 10 if many people have requested codes for the account.";

/** Accounts, sign-in and second factors. */
export const accountProperties: PropertyWords = {
  "account:account": {
    says: "The phone number (digits only, without the country code) or the e-mail address of the account.",
    example: "mia.keller@example.com",
  },
  countryCode: {
    says: "Telephone code of the country, with or without a plus sign. It applies only if `account` is a phone number.",
    example: "+49",
  },
  "account.sendCode:purpose": {
    says: "The purpose of the code: signing in, registering, resetting the password, binding a new contact, or proving the contact that is bound and is to be changed (`original`).",
    example: "login",
  },
  "account:human": {
    says: "The solution of a proof-of-work challenge of `account.humanChallenge` (base64). Required after a call was refused with `humanNeeded`.",
    example: "eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=",
  },
  "account.humanChallenge:work": {
    says: "The difficulty of the challenge: the number that the refusal `humanNeeded` contained. 0 is the usual one.",
    example: 0,
  },
  "account.login:password": { says: "The account's password.", example: "correct-horse-battery" },
  "account.register:password": { says: "The new account's password.", example: "correct-horse-battery" },
  "account.join:password": { says: "The new account's password.", example: "correct-horse-battery" },
  "account.resetPassword:password": { says: "The new password.", example: "correct-horse-battery" },
  "account.changePassword:password": { says: "The new password.", example: "correct-horse-battery" },
  "account.finishSetup:password": {
    says: "The new password. For an operator it needs at least 12 characters; `account.openSetup` answers the minimum.",
    example: "correct-horse-battery",
  },
  "account:oldPassword": { says: "The password that is valid now.", example: "old-horse-battery" },
  "account:confirm": { says: "The new password once more, the same as `password`.", example: "correct-horse-battery" },
  remember: {
    says: "`true`: the session lasts 30 days instead of 12 hours.",
    example: false,
  },
  "account:code": { says: verificationCode, example: "204816" },
  "account.login:code": {
    says: `${verificationCode} Required after the refusal \`codeNeeded\`, for a device from which the account has not been used.`,
    example: "204816",
  },
  "account.join:code": { says: "The code from the invitation email.", example: "Vq3nB7xLw0dT9kRfYs2a" },
  "account.exchange:code": {
    says: "The single-use exchange or launch code, as in the address parameter `token`.",
    example: "Vq3nB7xLw0dT9kRfYs2a",
  },
  "account:agree": {
    says: "`true`: the person agrees to the terms of use and the privacy policy. Required once from everybody.",
    example: true,
  },
  "account:ticket": {
    says: "The ticket that the call before answered after it had checked a code. It is valid for 15 minutes, once.",
    example: "Vq3nB7xLw0dT9kRfYs2a",
  },
  "account.setContactInfo:ticket": {
    says: "The ticket of `account.checkOriginalInfo`. Required to replace a contact of the same kind that is bound.",
    example: "Vq3nB7xLw0dT9kRfYs2a",
  },
  "account:kind": { says: "The contact of the account: the phone number or the e-mail address.", example: "email" },
  "account.privacyPolicy:kind": { says: "The text: the terms of use or the privacy policy.", example: "privacy" },
  "account:intendedRole": {
    says: "The role in which the person says they work. It gives no rights; it prefills the form with which the person may found an organisation.",
    example: "dentist",
  },
  "account:nickName": { says: "The name that others see.", example: "Dr. Mia Keller" },
  "account.join:nickName": {
    says: "The name that others see. Required if the invitation names nobody.",
    example: "Dr. Mia Keller",
  },
  "account:userName": { says: "The person's name.", example: "Mia Keller" },
  "account:nation": {
    says: "The country, as its two-letter code of ISO 3166-1 (`account.fetchCountries` lists them).",
    example: "DE",
  },
  "account.initSelfInfo:nation": {
    says: "The country, as its two-letter code of ISO 3166-1. Required while the account has no country.",
    example: "DE",
  },
  "account.initSelfInfo:email": {
    says: "The e-mail address that is bound to the account.",
    example: "mia.keller@example.com",
  },
  "account.initStudyInfo:name": {
    says: "The organisation's name. If omitted: the name that it was opened with.",
    example: "Riverside Dental Clinic",
  },
  "account.changeRole:authorityId": {
    says: "The role in which the session continues: one of the `authorities` of `account.getUserInfo`. If the user has it in several organisations, the current one comes first.",
    example: 233,
  },
  "account.changeRole:uuid": {
    says: "The user's own identifier, as `account.getUserInfo` answers it.",
    example: exampleId,
  },
  "account.endSession:id": { says: "The session to end: one of `account.sessions`.", example: exampleId },
  "account:gender": { says: "The person's sex. Null: not stated.", example: "female" },
  "account:birthday": {
    says: "The person's birth date as a calendar day (YYYY-MM-DD). Null: not stated.",
    example: "1988-04-17",
  },
  "account.setSelfInfo:address": {
    says: "The person's postal address. Null removes it.",
    example: "Harbour Street 12",
  },
  "account:workPhone": {
    says: "The phone number that partner organisations see in orders, in place of the account's. Null removes it.",
    example: "+49 30 1234567",
  },
  "account:language": { says: "The language of the interface and of emails to the person.", example: "en" },
  "account:headerImg": {
    says: "The person's picture as base64: JPEG, PNG or ICO, at most 5 MB. Null removes it.",
    example: "iVBORw0KGgo=",
  },
  "account:errors": { says: "Errors that happened in the browser, without personal data." },
  "account:errors.message": { says: "The message of the error.", example: "TypeError: x is undefined" },
  "account:errors.stack": { says: "The stack trace.", example: "at render (app.js:1:2)" },
  "account:errors.path": { says: "The path of the page, without its parameters.", example: "/orders" },
  "account:errors.at": { says: "The time of the error (ISO 8601 with time zone).", example: "2026-11-29T08:30:00Z" },
  "account:link": {
    says: "The secret of a set-up link that the command line made: the part after the number sign.",
    example: "Vq3nB7xLw0dT9kRfYs2a",
  },
  "account.finishSetup:email": {
    says: "The e-mail address of the first operator. Left out for every other set-up link, which names its account.",
    example: "ops@example.com",
  },
  "account.finishSetup:name": {
    says: "The operator's name. Left out where the link sets a new password.",
    example: "Jon Park",
  },
  "launch.code:user": {
    says: "The member who is to be signed in: their identifier or e-mail address. They must have allowed it in their settings.",
    example: "mia.keller@example.com",
  },
  "factor:password": proofByPassword,
  "factor:code": proofByCode,
  "factor.totpStart:password": proofUnlessRecent,
  "factor.passkeyStart:password": proofUnlessRecent,
  "factor.passkeySecond:password": {
    ...proofByPassword,
    says: `${proofByPassword.says} To switch it on, neither is needed within 15 minutes of a sign-in or another proof.`,
  },
  "leaving:password": proofByPassword,
  "leaving:code": proofByCode,
  "smart:password": proofByPassword,
  "smart:code": proofByCode,
  "interface:password": proofByPassword,
  "interface:code": proofByCode,
  "patient.erase:password": proofByPassword,
  "patient.erase:code": proofByCode,
  "report.sign:code": proofByCode,
  "factor.signIn:step": {
    says: "The `step` of the refusal `factorNeeded`: it stands for the password that was right.",
    example: "Vq3nB7xLw0dT9kRfYs2a",
  },
  "factor.signIn:code": {
    says: "A code of the authenticator app (6 digits) or a recovery code. Left out if a `passkey` is given.",
    example: "204816",
  },
  "factor.totpConfirm:code": { says: "The first code that the authenticator app shows.", example: "204816" },
  passkey: { says: "The answer of the browser's passkey dialog, in the JSON form of WebAuthn." },
  "factor:response": { says: "The answer of the browser's passkey dialog, in the JSON form of WebAuthn." },
  "passkey.id": { says: "The credential's identifier (base64url).", example: "AbCdEf123456" },
  "factor:response.id": { says: "The credential's identifier (base64url).", example: "AbCdEf123456" },
  rawId: { says: "The credential's identifier, the same as `id`.", example: "AbCdEf123456" },
  "passkey.type": { says: "The type of the credential.", example: "public-key" },
  "factor:response.type": { says: "The type of the credential.", example: "public-key" },
  "passkey.response": {
    says: "The authenticator's data: `clientDataJSON`, `authenticatorData`, `signature` and the like (base64url).",
    example: { clientDataJSON: "eyJ0eXBlIjoi", authenticatorData: "SZYN5YgO", signature: "MEUCIQ" },
  },
  "factor:response.response": {
    says: "The authenticator's data: `clientDataJSON` and the fields of the dialog (base64url).",
    example: { clientDataJSON: "eyJ0eXBlIjoi", authenticatorData: "SZYN5YgO", signature: "MEUCIQ" },
  },
  clientExtensionResults: { says: "Results of WebAuthn extensions, as the browser returns them.", example: {} },
  "factor.passkeyAdd:name": {
    says: "The name by which the person tells their passkeys apart.",
    example: "Office laptop",
  },
  "factor.passkeyRemove:id": { says: "The passkey to forget: one of `factor.list`.", example: "AbCdEf123456" },
  "factor.passkeySecond:on": {
    says: "`true`: after the password a passkey is required.",
    example: true,
  },
  "factor:issuer": {
    says: "The identity provider that is unlinked, as `factor.list` names it.",
    example: "https://login.example.com",
  },
  "factor.identityRemove:subject": {
    says: "The account at the identity provider, as `factor.list` names it.",
    example: "248289761001",
  },
};
