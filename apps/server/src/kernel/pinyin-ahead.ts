import { pinyin } from "pinyin-pro";

/** Builds the dictionary, which takes 25 ms that the first patient's name would have everybody wait for. */
export const openPinyin = (): void => void pinyin("王");
