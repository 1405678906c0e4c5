import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { Controller, useWatch } from "react-hook-form";
import type { Path, UseFormReturn } from "react-hook-form";
import { shareRules, type ShareFactor } from "@arcada/contract/share/share.rules";
import { useTexts } from "../i18n/texts.ts";
import { Choice } from "../ui/form/choice-field.tsx";

export interface ShareValues {
  label: string;
  days: string;
  names: "shown" | "hidden";
  factor: { kind: ShareFactor; email: string; phrase: string };
  allowDownload: boolean;
  /** True if the link also shows the order's images; used for orders only. */
  pictures: boolean;
  revisions: string[];
  warned: boolean;
}
export interface ShareFieldProps {
  form: UseFormReturn<ShareValues>;
}

/** Selects the lifetime of a link, in days. */
export function DaysSelect({ value, onChange }: { value: string; onChange: (days: string) => void }) {
  const t = useTexts("share");
  return (
    <div>
      <Text size="sm" fw={500} mb={4} aria-hidden>
        {t("share.make.days")}
      </Text>
      <Choice
        label={t("share.make.days")}
        value={value}
        options={shareRules.days.map((days) => ({
          value: String(days),
          label: t("share.make.daysOf", { count: days }),
        }))}
        onChange={onChange}
      />
    </div>
  );
}

export function DaysField({ form }: ShareFieldProps) {
  return (
    <Controller
      control={form.control}
      name="days"
      render={({ field }) => <DaysSelect value={field.value} onChange={field.onChange} />}
    />
  );
}

export function NamesField({ form }: ShareFieldProps) {
  const t = useTexts("share");
  const choose = (names: string) => {
    form.setValue("names", names as ShareValues["names"]);
    // A link that shows the patient's name always requires a factor.
    if (names === "shown" && form.getValues("factor.kind") === "none") form.setValue("factor.kind", "phrase");
  };
  return (
    <Controller
      control={form.control}
      name="names"
      render={({ field }) => (
        <Radio.Group label={t("share.make.names")} value={field.value} onChange={choose}>
          <Stack gap="xs" mt="xs">
            <Radio value="shown" label={t("share.make.named")} description={t("share.make.namedText")} />
            <Radio value="hidden" label={t("share.make.nameless")} description={t("share.make.namelessText")} />
          </Stack>
        </Radio.Group>
      )}
    />
  );
}

interface FactorFieldsProps extends ShareFieldProps {
  error: (field: Path<ShareValues>) => string | undefined;
  isOrder: boolean;
  byLab: boolean;
}
/** The factors that a visitor can be asked for, the safest first. */
const factors: readonly ShareFactor[] = ["phrase", "email", "birthDate", "phone", "none"];

/** Factors from the patient's record, which a lab does not have. */
const patientFactors: readonly ShareFactor[] = ["birthDate", "phone"];

export function FactorFields({ form, error, isOrder, byLab }: FactorFieldsProps) {
  const t = useTexts("share");
  const [kind, names, pictures] = useWatch({ control: form.control, name: ["factor.kind", "names", "pictures"] });
  // The link alone may open the models of an order, never its images.
  const allowsNoFactor = names === "hidden" && !(isOrder && pictures);
  return (
    <>
      <Controller
        control={form.control}
        name="factor.kind"
        render={({ field }) => (
          <Radio.Group label={t("share.make.factor")} value={field.value} onChange={field.onChange}>
            <Stack gap="xs" mt="xs">
              {factors
                .filter(
                  (factor) => (factor !== "none" || allowsNoFactor) && !(byLab && patientFactors.includes(factor)),
                )
                .map((factor) => (
                  <Radio key={factor} value={factor} label={t(`share.factor.${factor}`)} />
                ))}
            </Stack>
          </Radio.Group>
        )}
      />
      {kind === "email" && (
        <TextInput
          label={t("share.make.email")}
          type="email"
          inputMode="email"
          autoComplete="off"
          dir="ltr"
          required
          {...form.register("factor.email")}
          error={error("factor.email")}
        />
      )}
      {kind === "phrase" && (
        <TextInput
          label={t("share.make.phrase")}
          description={t("share.make.phraseText")}
          autoComplete="off"
          required
          maxLength={shareRules.maxPhraseLength}
          {...form.register("factor.phrase")}
          error={error("factor.phrase")}
        />
      )}
    </>
  );
}
