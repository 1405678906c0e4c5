import { useState } from "react";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { useCurrentUser } from "../../../session/current-user.ts";
import { defaultLayouts, findFieldOfView, type LayoutName } from "../../ct-core/viewport-layouts.ts";
import { listAvailableLayouts } from "./viewport-components.ts";

/** The layout that this user chose last in this browser for a volume of this field of view; else its default. */
export function useLayout(volume: VolumeInfo): [LayoutName, (name: LayoutName) => void] {
  const field = findFieldOfView(volume);
  const key = `arcada.ct.layout.${useCurrentUser()?.uuid ?? ""}.${field}`;
  const [chosen, choose] = useState<LayoutName | null>(null);
  const stored = listAvailableLayouts().find((name) => name === (chosen ?? localStorage.getItem(key)));
  return [
    stored ?? defaultLayouts[field],
    (name) => {
      localStorage.setItem(key, name);
      choose(name);
    },
  ];
}
