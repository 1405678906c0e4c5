import { Stack, Text } from "@mantine/core";
import { labProgramCalls, labProgramRules } from "@arcada/contract/order/lab-program.calls";
import type { LabProgram } from "@arcada/contract/order/lab-program.calls";
import { encodeBase64 } from "../ui/upload/encode-base64.ts";
import { FileChoice } from "../ui/upload/file-choice.tsx";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { formatBytes, formatList, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";

type Template = NonNullable<LabProgram["template"]>;

/** The laboratory's own project, whose settings exported projects keep. */
export function ProjectTemplate({ template, mayChange }: { template: Template | null; mayChange: boolean }) {
  const t = useTexts("labCase", "refusals");
  const command = useCommand(labProgramCalls.saveLabTemplate, { shownBy: "form" });
  const save = async (file: File | null) => {
    const done = await command.run({ template: file && { name: file.name, content: await encodeBase64(file) } });
    if (done) toast("success", t(file ? "labCase.settings.saved" : "labCase.settings.removed"));
  };
  return (
    <Section title={t("labCase.settings.template")} description={t("labCase.settings.templateSays")}>
      <Stack gap="md">
        {template ? (
          <TemplateFacts template={template} />
        ) : (
          <Text size="sm" c="dimmed">
            {t("labCase.settings.templateNone")}
          </Text>
        )}
        {mayChange && (
          <FileChoice
            accept=".dentalProject,.dentalproject"
            maxBytes={labProgramRules.maxTemplateBytes}
            stored={template && template.addedAt}
            isBusy={command.busy}
            labels={{
              choose: t("labCase.settings.choose"),
              replace: t("labCase.settings.replace"),
              remove: t("labCase.settings.removeTemplate"),
              tooLarge: t("refusals.labTemplateUnreadable"),
            }}
            problem={command.refused?.msg}
            onChange={(file) => void save(file)}
          />
        )}
      </Stack>
    </Section>
  );
}

function TemplateFacts({ template: { name, bytes, hasMaterials, kinds, addedBy, addedAt } }: { template: Template }) {
  const t = useTexts("labCase");
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {[
          formatBytes(bytes),
          t("labCase.settings.templateAdded", { name: addedBy, time: formatTimestamp(addedAt) }),
        ].join(" · ")}
      </Text>
      <Text size="sm" c={hasMaterials ? "dimmed" : "var(--mantine-color-error)"}>
        {t(hasMaterials ? "labCase.settings.withMaterials" : "labCase.settings.withoutMaterials")}
      </Text>
      {kinds.length > 0 && (
        <Text size="sm" c="dimmed">
          {t("labCase.settings.templateKinds", { kinds: formatList(kinds) })}
        </Text>
      )}
    </Stack>
  );
}
