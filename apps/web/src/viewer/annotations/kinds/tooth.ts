import { IconDental } from "@tabler/icons-react";
import { allTeeth, toothName } from "@arcada/contract/kernel/tooth-numbers";
import type { AnnotationKind } from "../annotation-kind-types.ts";

/** A tooth by its FDI number, shown in the reader's notation. */
export const tooth: AnnotationKind = {
  icon: IconDental,
  keys: "D",
  steps: [],
  label: (_t, { text }, { teeth = "fdi" }) => (isTooth(text) ? toothName(Number(text), teeth) : (text ?? "")),
  input: { for: "tooth", isRequired: true },
};

const isTooth = (text: string | null): boolean => allTeeth.includes(Number(text));
