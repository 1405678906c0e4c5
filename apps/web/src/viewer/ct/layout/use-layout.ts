import { useState } from "react";
import { useMe } from "../../../kernel/session.ts";
import type { LayoutName } from "./layouts.ts";
import { layoutsOffered } from "./pane-table.ts";

/** The layout that this user chose last in this browser. */
export function useLayout(): [LayoutName, (name: LayoutName) => void] {
  const key = `arcada.ct.layout.${useMe()?.iid ?? ""}`;
  const [chosen, choose] = useState<LayoutName | null>(null);
  const known = layoutsOffered();
  const kept = known.find((name) => name === (chosen ?? localStorage.getItem(key)));
  return [
    kept ?? "mpr",
    (name) => {
      localStorage.setItem(key, name);
      choose(name);
    },
  ];
}
