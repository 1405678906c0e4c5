import "@mantine/spotlight/styles.css";
import { Spotlight, createSpotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { use, useEffect, useMemo, useState } from "react";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useAppearance } from "../../browser/appearance.ts";
import { useRole } from "../../session/current-user.ts";
import { useLanguage, useTexts } from "../../i18n/texts.ts";
import { findParentScreens, listSearchableScreens } from "../screen-lists.ts";
import { loadPinyin, createSearchIndex } from "./page-search-index.ts";
import type { ToPinyin } from "./page-search-index.ts";
import { getScreenIcon } from "../screen-icons.ts";

const [store, spotlight] = createSpotlight();

/** Searches the pages that the role may open by their titles. */
export function Search({ onClose }: { onClose: () => void }) {
  const t = useTexts("shell");
  const go = useOpenScreen();
  const [typed, setTyped] = useState("");
  const search = useSearchIndex();
  useEffect(() => spotlight.open(), []);
  const found = search(typed);
  const open = (name: ScreenName) => {
    spotlight.close();
    go(name);
  };
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={onClose}
      attributes={{ content: { "aria-label": t("shell.search.title") } }}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder={t("shell.search.placeholder")}
        aria-label={t("shell.search.title")}
        leftSection={<IconSearch size={18} stroke={1.6} />}
      />
      <Spotlight.ActionsList>
        {found.map(({ name, title, trail }) => {
          const Icon = getScreenIcon(name);
          return (
            <Spotlight.Action
              key={name}
              label={title}
              description={trail}
              leftSection={<Icon size={20} stroke={1.6} />}
              onClick={() => open(name)}
            />
          );
        })}
        {found.length === 0 && <Spotlight.Empty>{t("shell.search.nothing")}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useSearchIndex() {
  const t = useTexts("shell");
  const role = useRole();
  const pinyin = usePinyin();
  return useMemo(() => {
    const title = (name: ScreenName) => t(`shell.screen.${screens[name].title}`);
    const entries = listSearchableScreens(role).map((name) => ({
      name,
      title: title(name),
      trail: role ? findParentScreens(name, role).map(title).join(" / ") : "",
    }));
    return createSearchIndex(entries, pinyin);
  }, [role, t, pinyin]);
}

// The dictionary is loaded before the list: results must not change while the user presses Enter. Without it titles are
// still found by their characters.
let pinyinPromise: Promise<ToPinyin | null> | undefined;
function usePinyin(): ToPinyin | null {
  const language = useLanguage();
  const appearance = useAppearance();
  if (language !== "zh" || !appearance.pinyin) return null;
  pinyinPromise ??= loadPinyin().catch(() => {
    pinyinPromise = undefined;
    return null;
  });
  return use(pinyinPromise);
}
