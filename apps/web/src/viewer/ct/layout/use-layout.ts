import { useState } from "react";
import { useCurrentUser } from "../../../session/current-user.ts";
import type { LayoutName } from "../../ct-core/viewport-layouts.ts";
import { listAvailableLayouts } from "./viewport-components.ts";

/** The layout that this user chose last in this browser. */
export function useLayout(): [LayoutName, (name: LayoutName) => void] {
  const key = `arcada.ct.layout.${useCurrentUser()?.iid ?? ""}`;
  const [chosen, choose] = useState<LayoutName | null>(null);
  const known = listAvailableLayouts();
  const stored = known.find((name) => name === (chosen ?? localStorage.getItem(key)));
  return [
    stored ?? "mpr",
    (name) => {
      localStorage.setItem(key, name);
      choose(name);
    },
  ];
}
