import { expect, it } from "vitest";
import { countries } from "./countries.ts";

/** The members of the United Nations by ISO 3166-1 alpha-2 code (un.org, member states: 193). */
const members =
  "AF AL DZ AD AO AG AR AM AU AT AZ BS BH BD BB BY BE BZ BJ BT BO BA BW BR BN BG BF BI CV KH CM CA CF TD CL CN CO KM CG CR CI HR CU CY CZ KP CD DK DJ DM DO EC EG SV GQ ER EE SZ ET FJ FI FR GA GM GE DE GH GR GD GT GN GW GY HT HN HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KI KW KG LA LV LB LS LR LY LI LT LU MG MW MY MV ML MT MH MR MU MX FM MC MN ME MA MZ MM NA NR NP NL NZ NI NE NG MK NO OM PK PW PA PG PY PE PH PL PT QA KR MD RO RU RW KN LC VC WS SM ST SA SN RS SC SL SG SK SI SB SO ZA SS ES LK SD SR SE CH SY TJ TH TL TG TO TT TN TR TM TV UG UA AE GB TZ US UY UZ VU VE VN YE ZM ZW".split(
    " ",
  );

it("names every member of the United Nations", () => {
  const codes = new Set(countries.map(({ code }) => code));
  expect(members).toHaveLength(193);
  expect(members.filter((code) => !codes.has(code))).toEqual([]);
});

it("names each of the 249 entries of ISO 3166-1 once, in words", () => {
  expect(new Set(countries.map(({ code }) => code)).size).toBe(249);
  expect(countries).toHaveLength(249);
  expect(countries.filter(({ code, name, native }) => name === code || native === code)).toEqual([]);
});
