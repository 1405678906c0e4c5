import { refuse } from "../../platform/http/refuse.ts";

/** ISO 3166-1 alpha-2 codes with their telephone codes (ITU-T E.164); names come from the platform's own Unicode data. */
const phoneCodes =
  "CN86 US1 GB44 AF93 AL355 DZ213 AD376 AO244 AR54 AM374 AU61 AT43 AZ994 BH973 BD880 BY375 BE32 BZ501 BJ229 BT975 BO591 BA387 BW267 BR55 BN673 BG359 BF226 BI257 KH855 CM237 CA1 CV238 CF236 TD235 CL56 CO57 KM269 CG242 CD243 CR506 CI225 HR385 CU53 CY357 CZ420 DK45 DJ253 DO1 EC593 EG20 SV503 GQ240 ER291 EE372 SZ268 ET251 FJ679 FI358 FR33 GA241 GM220 GE995 DE49 GH233 GR30 GT502 GN224 GW245 GY592 HT509 HN504 HK852 HU36 IS354 IN91 ID62 IR98 IQ964 IE353 IL972 IT39 JM1 JP81 JO962 KZ7 KE254 KW965 KG996 LA856 LV371 LB961 LS266 LR231 LY218 LI423 LT370 LU352 MO853 MG261 MW265 MY60 MV960 ML223 MT356 MR222 MU230 MX52 MD373 MC377 MN976 ME382 MA212 MZ258 MM95 NA264 NP977 NL31 NZ64 NI505 NE227 NG234 KP850 MK389 NO47 OM968 PK92 PA507 PG675 PY595 PE51 PH63 PL48 PT351 QA974 RO40 RU7 RW250 SA966 SN221 RS381 SC248 SL232 SG65 SK421 SI386 SO252 ZA27 KR82 SS211 ES34 LK94 SD249 SR597 SE46 CH41 SY963 TW886 TJ992 TZ255 TH66 TL670 TG228 TO676 TT1 TN216 TR90 TM993 UG256 UA380 AE971 UY598 UZ998 VU678 VE58 VN84 YE967 ZM260 ZW263 AG1 BS1 BB1 DM1 GD1 KI686 MH692 FM691 NR674 PW680 KN1 LC1 VC1 WS685 SM378 ST239 SB677 TV688 PS970 PR1 AI1 AQ672 AS1 AW297 AX358 BL590 BM1 BQ599 BV47 CC61 CK682 CW599 CX61 EH212 FK500 FO298 GF594 GG44 GI350 GL299 GP590 GS500 GU1 HM672 IM44 IO246 JE44 KY1 MF590 MP1 MQ596 MS1 NC687 NF672 NU683 PF689 PM508 PN64 RE262 SH290 SJ47 TC1 TF262 TK690 UM1 VA39 VG1 VI1 WF681 YT262 SX1";

const english = new Intl.DisplayNames("en", { type: "region" });
const chinese = new Intl.DisplayNames("zh-Hans", { type: "region" });

export const countries = phoneCodes.split(" ").map((entry) => {
  const code = entry.slice(0, 2);
  return { name: english.of(code) ?? code, native: nativeName(code), code, phoneCode: `+${entry.slice(2)}` };
});

export function requireKnownCountry(nation: string): void {
  if (!countries.some(({ code }) => code === nation)) refuse("badInput", { nation: "countryNeeded" });
}

/** The country's name in its own most likely language (CLDR likely subtags). */
function nativeName(code: string): string {
  if (["CN", "HK", "MO", "TW", "SG"].includes(code)) return chinese.of(code) ?? code;
  const language = new Intl.Locale(`und-${code}`).maximize().language;
  return new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
}
