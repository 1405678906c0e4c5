import { countryCalls } from "@arcada/contract/account/countries.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { countries } from "./countries.ts";

export const countryRoutes = routes(countryCalls, {
  fetchCountries: async () => countries,
});
