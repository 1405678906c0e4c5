import { createContext } from "react";

/** True within `PageBody`, which has the page's heading. */
export const TitledPageContext = createContext(false);
