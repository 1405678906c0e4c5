import { PasswordInput, TextInput } from "@mantine/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useTexts } from "../kernel/texts.ts";

/** The password or the code with which somebody shows once more who they are. */
export interface Proof {
  password: string;
  code: string;
}
export const noProof: Proof = { password: "", code: "" };

/** Without what was left empty. */
export const proofOf = ({ password, code }: Proof): Partial<Proof> => ({
  ...(password !== "" && { password }),
  ...(code.trim() !== "" && { code: code.trim() }),
});

interface Props {
  password: UseFormRegisterReturn;
  code: UseFormRegisterReturn;
  error: (field: keyof Proof) => string | undefined;
  /** The dialog asks for nothing before. */
  isFirst?: boolean;
}

export function ProofFields({ password, code, error, isFirst }: Props) {
  const t = useTexts("common");
  return (
    <>
      <PasswordInput
        label={t("common.proof.password")}
        autoComplete="current-password"
        data-autofocus={isFirst}
        {...password}
        error={error("password")}
      />
      <TextInput
        label={t("common.proof.code")}
        autoComplete="one-time-code"
        inputMode="numeric"
        dir="ltr"
        {...code}
        error={error("code")}
      />
    </>
  );
}
