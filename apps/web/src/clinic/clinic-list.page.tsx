import { Button, Center, Text } from "@mantine/core";
import { useState } from "react";
import type { Clinic } from "@arcada/contract/clinic/clinic.calls";
import { languageTags } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";
import { showDay } from "../kernel/format.ts";
import { useSearch, useSetSearch } from "../kernel/link.tsx";
import { useLanguage, useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { EmptyState } from "../ui/states.tsx";
import classes from "./clinic-list.module.css";
import { useClinics } from "./use-clinics.ts";

/** The first page of after-sales people: the clinics whose devices they look after. */
export function Page() {
  const t = useTexts("clinic");
  const { search = "" } = useSearch();
  const setSearch = useSetSearch();
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setSearch({ search: undefined });
    setClearings((times) => times + 1);
  };
  return (
    <PageBody title={t("clinic.title")} says={t("clinic.says")}>
      <Section flush>
        <div className={classes.search}>
          <SearchBox
            key={clearings}
            value={search}
            onSearch={(text) => setSearch({ search: text })}
            label={t("clinic.search")}
          />
        </div>
        <Found search={search} onClear={clear} />
      </Section>
    </PageBody>
  );
}

function Found({ search, onClear }: { search: string; onClear: () => void }) {
  const t = useTexts("clinic");
  const language = useLanguage();
  const clinics = useClinics(search);
  const nobody = search ? (
    <EmptyState title={t("clinic.noSuch")} text={t("clinic.noSuchText")}>
      <Button variant="default" onClick={onClear}>
        {t("common.clear")}
      </Button>
    </EmptyState>
  ) : (
    <EmptyState title={t("clinic.empty")} text={t("clinic.emptyText")} />
  );
  return (
    <Answer of={clinics} isEmpty={({ list }) => list.length === 0} empty={nobody}>
      {({ list, total }) => (
        <div aria-busy={clinics.isPlaceholderData}>
          <DataTable label={t("clinic.clinics")} columns={columnsOf(t, language)} rows={list} rowKey={({ id }) => id} />
          <Center className={classes.more}>
            <Text size="sm" c="dimmed" role="status">
              {t("clinic.count", { count: total })}
            </Text>
            {clinics.hasNextPage && (
              <Button
                variant="default"
                size="sm"
                loading={clinics.isFetchingNextPage}
                onClick={() => void clinics.fetchNextPage()}
              >
                {t("clinic.more")}
              </Button>
            )}
          </Center>
        </div>
      )}
    </Answer>
  );
}

const columnsOf = (t: Translate, language: Language): Column<Clinic>[] => [
  {
    key: "name",
    title: t("clinic.name"),
    narrow: "head",
    show: ({ name, address }) => (
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {address && (
          <Text size="xs" c="dimmed" fw={400}>
            {address}
          </Text>
        )}
      </div>
    ),
  },
  { key: "number", title: t("clinic.number"), show: ({ number }) => <span className="arcada-figures">{number}</span> },
  { key: "country", title: t("clinic.country"), show: ({ country }) => countryName(country, language) },
  {
    key: "contact",
    title: t("clinic.contact"),
    show: ({ leader, phoneArea, phone }) =>
      [leader, [phoneArea, phone].filter(Boolean).join(" ")].filter(Boolean).join(" · ") || "–",
  },
  {
    key: "members",
    title: t("clinic.members"),
    align: "end",
    show: ({ members }) => <span className="arcada-figures">{members}</span>,
  },
  {
    key: "setUp",
    title: t("clinic.setUp"),
    show: ({ setUpAt }) => <span className="arcada-figures">{showDay(setUpAt)}</span>,
  },
];

/** As the reader's language calls it; the code itself where it is no region's. */
function countryName(code: string, language: Language): string {
  try {
    return new Intl.DisplayNames([languageTags[language]], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
