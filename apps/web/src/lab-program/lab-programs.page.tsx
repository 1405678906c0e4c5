import { Text } from "@mantine/core";
import { labProgramCalls, wordLists } from "@arcada/contract/order/lab-program.calls";
import type { LabProgram } from "@arcada/contract/order/lab-program.calls";
import { useState } from "react";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { useTexts } from "../i18n/texts.ts";
import { PageBody, Section } from "../ui/page.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SettingsPage } from "../ui/sections/settings-page.tsx";
import { ProjectTemplate } from "./project-template.tsx";
import { completeWords, WordTable } from "./word-table.tsx";
import type { EditedWord } from "./word-table.tsx";

/** The words of the laboratory's CAD programs, and the project from which exports start. */
export function Page() {
  const t = useTexts("labCase");
  const query = useCall(labProgramCalls.labProgram, {});
  if (query.data) return <LabPrograms program={query.data} />;
  return (
    <PageBody title={t("labCase.settings.title")} description={t("labCase.settings.says")}>
      <QueryResult of={query}>{() => null}</QueryResult>
    </PageBody>
  );
}

function LabPrograms({ program }: { program: LabProgram }) {
  const t = useTexts("labCase");
  const { words, change, attempted, ...form } = useWordsForm(program);
  const { mayChange } = program;
  return (
    <SettingsPage
      title={t("labCase.settings.title")}
      description={t(mayChange ? "labCase.settings.says" : "labCase.settings.onlyManager")}
      sections={[
        ...wordLists.map((list, place) => ({
          id: list,
          title: t(`labCase.settings.list.${list}`),
          content: (
            <Section
              title={t(`labCase.settings.list.${list}`)}
              description={place === 0 ? t("labCase.settings.wordsSays") : undefined}
            >
              <WordTable list={list} words={words} isTried={attempted} mayChange={mayChange} onChange={change} />
              {list !== "kinds" && words.filter((word) => word.list === list).length > 1 && (
                <Text size="xs" c="dimmed" mt="sm">
                  {t("labCase.settings.order")}
                </Text>
              )}
            </Section>
          ),
        })),
        {
          id: "template",
          title: t("labCase.settings.template"),
          content: <ProjectTemplate template={program.template} mayChange={mayChange} />,
        },
      ]}
      form={form}
    />
  );
}

/** The words as they are edited; another person's change replaces them only if nothing was edited here. */
function useWordsForm(program: LabProgram) {
  const t = useTexts();
  const [edited, setEdited] = useState<EditedWord[] | null>(null);
  const [attempted, setAttempted] = useState(false);
  const command = useCommand(labProgramCalls.saveLabWords);
  const discard = () => {
    setEdited(null);
    setAttempted(false);
  };
  return {
    words: (edited ?? program.words) as readonly EditedWord[],
    change: setEdited as (words: EditedWord[]) => void,
    attempted,
    isDirty: edited !== null,
    discard,
    save: async () => {
      if (!edited) return;
      setAttempted(true);
      const words = completeWords(edited);
      if (!words) return;
      const done = await command.run({ words, version: program.version });
      if (!done) return;
      discard();
      toast("success", t("common.saved"));
    },
  };
}
