import { expect, it } from "vitest";
import { joinAddress } from "./place-fields.tsx";

it.each([
  ["CN", "南山区科技路 1 号", ["广东省", "深圳市"], "广东省深圳市南山区科技路 1 号"],
  ["DE", "Lindenweg 3", ["Bayern"], "Lindenweg 3, Bayern"],
  ["GB", " 1 High Street ", [], "1 High Street"],
  ["CN", "", [], ""],
])("an address in %s joins %j and %j to %j", (country, street, names, joined) => {
  expect(joinAddress(country, street, { province: "", city: "", names })).toBe(joined);
});
