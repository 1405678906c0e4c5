"""The Chinese texts of the card of the finder of teeth, and those of each name and set of its figures."""
import re

from shared.card_words import MEASURED_IN_PRODUCT

INTENDED_USE = "在全景片上提示牙齿的位置与牙位，便于牙医更快填写牙位图。每条提示都须由牙医确认。它不是医疗器械，也不发现疾病。"
LIMITS = (
    "牙位号出错时多为错一位，常在缺牙或漏检之处。牙齿少的片最弱；标注的片中没有混合牙列。没有提示的位置不等于缺牙。"
    "状态（充填、冠等）只从绘制的片学得；在标注片上五次中不足四次正确的状态不予提示。种植体与桥体会提示，但标注数量太少，无法说明正确率。"
    "未在 6 岁以下儿童、颌裂或只显示部分颌骨的片上试验。"
)
TRAINED_ON = "由程序绘制的、生成头颅的片。不含任何人的影像。"
NAMES = {
    "F1 of teeth found (middle inside the tooth's box)": "找到牙齿的 F1（中心落在该牙的框内）",
    "F1 of teeth found (half of both boxes in common)": "找到牙齿的 F1（两框重叠一半以上）",
    "F1 of teeth found under their own number": "找到且牙位号正确的 F1",
    "Answers withheld as too uncertain": "因不够确定而不给出的结果",
    "Given numbers that are right": "给出的牙位号中正确的比例",
    "Distance of claimed and true share of right numbers": "声称的正确率与实际的差距",
    "F1 of own numbers: fewer than 20 teeth": "牙位号的 F1：少于 20 颗牙",
    "F1 of own numbers: 20 to 27 teeth": "牙位号的 F1：20 至 27 颗牙",
    "F1 of own numbers: 28 teeth and more": "牙位号的 F1：28 颗牙及以上",
    "F1 of own numbers: mixed dentition": "牙位号的 F1：混合牙列",
}
CONDITIONS = {
    "sound": "健全", "filled": "充填", "rootFilled": "根管充填", "crown": "冠", "root": "残根", "unerupted": "未萌出", "implant": "种植体", "pontic": "桥体",
}
# Names and sets with a part that changes: a pattern, and the Chinese text of its parts.
PARTS = [
    (r"Named (\w+) that are so \(of (\d+) true ones (\d+) named\)", lambda m: f"提示为{CONDITIONS.get(m[1], m[1])}且属实的比例（{m[2]} 颗实有中提示 {m[3]} 颗）"),
    (r"(\d+) real films of one clinic \(ABDI set\), marked by us, never trained on", lambda m: f"来自一家诊所的 {m[1]} 张真实片（ABDI 集），由我们标注，从未用于训练"),
    (r"(\d+) drawn films, held back", lambda m: f"{m[1]} 张留出的绘制片"),
    (r"(\d+) films of the owner, kept apart from training", lambda m: f"所有者的 {m[1]} 张片，未用于训练"),
]


def translate(metrics, is_drawn):
    """The translation of a card with these figures. @param is_drawn whether it was trained on drawn films alone"""
    words = {**MEASURED_IN_PRODUCT, **NAMES}
    for text in (text for metric in metrics for text in (metric["name"], metric["set"])):
        for pattern, tell in PARTS:
            found = re.fullmatch(pattern, text)
            if found:
                words[text] = tell(found)
    return {"intendedUse": INTENDED_USE, "limits": LIMITS, "trainedOn": TRAINED_ON if is_drawn else None, "words": words}
