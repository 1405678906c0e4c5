import { Group, SegmentedControl, Select } from "@mantine/core";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { selectForDiagram, filterPartners, partnerFilters } from "./partners.ts";
import type { Partner, PartnerFilter } from "./partners.ts";
import { useRelationActions } from "./relation-actions.tsx";
import { RelationDrawer } from "./relation-drawer.tsx";
import { RelationDiagram } from "./relation-diagram.tsx";
import { RelationTable } from "./relation-table.tsx";
import classes from "./relation.module.css";

/** The partners, filtered by name and state, as a list or as a diagram. A click opens one in a drawer. */
export function PartnerList({ partners, own }: { partners: Partner[]; own: string }) {
  const t = useTexts("relation");
  const address = useSearchParams();
  const setAddress = useSetSearchParams();
  const { buttons, dialog } = useRelationActions();
  // Stored in the address, so that a notice can link to a partner.
  const open = ({ other }: Partner) => setAddress({ partner: other.id });
  const state = partnerFilters.find((one) => one === address["state"]) ?? "all";
  const isDiagram = address["view"] === "picture";
  const shown = filterPartners(partners, state, address["search"] ?? "");
  const diagramPartners = selectForDiagram(shown);
  const emptyState = <EmptyState title={t("relation.noneFound")} text={t("relation.noneFoundText")} />;
  return (
    <>
      <Section flush actions={<ViewSwitch isDiagram={isDiagram} />} title={t("relation.partners")}>
        <Group className={classes.filters} gap="sm">
          <SearchBox
            value={address["search"] ?? ""}
            onSearch={(text) => setAddress({ search: text })}
            label={t("relation.searchPartners")}
          />
          <Select
            aria-label={t("relation.stateLabel")}
            value={state}
            allowDeselect={false}
            onChange={(chosen) => setAddress({ state: chosen === "all" ? undefined : (chosen ?? undefined) })}
            data={partnerFilters.map((value: PartnerFilter) => ({ value, label: t(`relation.show.${value}`) }))}
          />
        </Group>
        {(isDiagram ? diagramPartners : shown).length === 0 ? (
          emptyState
        ) : isDiagram ? (
          <RelationDiagram partners={diagramPartners} own={own} onOpen={open} />
        ) : (
          <RelationTable partners={shown} buttons={buttons} onOpen={open} />
        )}
      </Section>
      <RelationDrawer
        partner={partners.find(({ other }) => other.id === address["partner"])}
        own={own}
        onClose={() => setAddress({ partner: undefined })}
        buttons={buttons}
      />
      {dialog}
    </>
  );
}

function ViewSwitch({ isDiagram }: { isDiagram: boolean }) {
  const t = useTexts("relation");
  const setAddress = useSetSearchParams();
  return (
    <SegmentedControl
      size="xs"
      value={isDiagram ? "picture" : "list"}
      onChange={(view) => setAddress({ view: view === "picture" ? view : undefined })}
      data={[
        { value: "list", label: t("relation.viewList") },
        { value: "picture", label: t("relation.viewPicture") },
      ]}
      aria-label={t("relation.filter")}
    />
  );
}
