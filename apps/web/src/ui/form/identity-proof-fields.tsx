import { PasswordInput, TextInput } from "@mantine/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useTexts } from "../../i18n/texts.ts";

/** The password or the code that confirms the user's identity. */
export interface IdentityProof {
  password: string;
  code: string;
}
export const emptyProof: IdentityProof = { password: "", code: "" };

/** Returns the proof without empty fields. */
export const toProofInput = ({ password, code }: IdentityProof): Partial<IdentityProof> => ({
  ...(password !== "" && { password }),
  ...(code.trim() !== "" && { code: code.trim() }),
});

interface Props {
  password: UseFormRegisterReturn;
  code: UseFormRegisterReturn;
  error: (field: keyof IdentityProof) => string | undefined;
  /** True if it is the first field of the dialog. */
  isFirst?: boolean;
}

export function IdentityProofFields({ password, code, error, isFirst }: Props) {
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
