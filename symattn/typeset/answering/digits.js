// Digits that were cut off, rounded and multiplied as whole numbers, never as floats.
const STORED = /^(-?)(\d+)(?:\.(\d*))?(…?)(?:e(-?\d+))?$/;

function halfUp(whole, decimals, places) {
  const up = (decimals[places] ?? "0") >= "5" ? 1n : 0n;
  const text = String(BigInt(whole + decimals.slice(0, places).padEnd(places, "0")) + up).padStart(places + 1, "0");
  return places ? `${text.slice(0, -places)}.${text.slice(-places)}` : text;
}

// [digits to so many places, whether they are the number itself]; zeros alone give way to a power of ten
function rounded(stored, places, pad = 0) {
  let [, sign, whole, decimals = "", cut, power] = STORED.exec(stored), exponent = +(power ?? 0);
  if (power === undefined) {
    if (!cut && decimals.length <= places) {
      decimals = decimals.padEnd(pad, "0");
      return [sign + (decimals ? `${whole}.${decimals}` : whole), true];
    }
    const text = halfUp(whole, decimals, places);
    if (/[1-9]/.test(text) || !/[1-9]/.test(whole + decimals)) return [sign + text, false];
    const rest = decimals.replace(/^0+/, "");
    exponent = rest.length - decimals.length - 1;
    [whole, decimals] = [rest[0], rest.slice(1)];
  }
  const taken = cut ? 1 : 0;
  const kept = decimals.length > taken ? Math.min(Math.max(places - 2, 0), decimals.length - taken) : 0;
  const exact = !cut && decimals.length <= kept;
  let text = exact ? (decimals ? `${whole}.${decimals}` : whole) : halfUp(whole, decimals, kept);
  if (text.startsWith("10")) {
    text = kept ? `1.${"0".repeat(kept)}` : "1";
    exponent += 1;
  }
  return [`${sign}${text}e${exponent}`, exact];
}

// [digits to so many significant ones, whether they are the number itself], with a power of ten where it is shorter
function significantly(stored, count) {
  const [, sign, whole, decimals = "", cut, power] = STORED.exec(stored);
  const all = (whole + decimals).replace(/^0+/, ""), bare = all.replace(/0+$/, "");
  if (!all) return ["0", true];
  const exact = !cut && bare.length <= count;
  if (exact && power === undefined) return [sign + (decimals ? `${whole}.${decimals}` : whole), true];
  let magnitude = all.length - decimals.length - 1 + Number(power ?? 0);
  let kept = exact ? bare : String(BigInt(all.slice(0, count).padEnd(count, "0")) + (all[count] >= "5" ? 1n : 0n));
  if (!exact && kept.length > count) [kept, magnitude] = [kept.slice(0, count), magnitude + 1];
  if (magnitude <= -5 || magnitude >= count + 3) {
    return [`${sign}${kept[0]}${kept.length > 1 ? `.${kept.slice(1)}` : ""}e${magnitude}`, exact];
  }
  if (magnitude < 0) return [`${sign}0.${"0".repeat(-magnitude - 1)}${kept}`, exact];
  kept = kept.padEnd(magnitude + 1, "0");
  return [sign + kept.slice(0, magnitude + 1) + (kept.length > magnitude + 1 ? `.${kept.slice(magnitude + 1)}` : ""), exact];
}
const shown = (stored, view, pad) => view.significant ? significantly(stored, view.count) : rounded(stored, view.count, pad);

// the magnitude of stored digits as an interval of whole numbers over 10^scale
function interval(stored) {
  const [, sign, whole, decimals = "", cut, power = "0"] = STORED.exec(stored);
  const digits = BigInt(whole + decimals);
  let low = cut ? digits - 1n : digits, high = cut ? digits + 1n : digits, scale = decimals.length - power;
  if (scale < 0) [low, high, scale] = [low * 10n ** BigInt(-scale), high * 10n ** BigInt(-scale), 0];
  return {negative: sign === "-", low, high, scale};
}

// a product of stored digits to the digits of the view, or to fewer where these are not certain
function product(factors, view) {
  const each = factors.map(interval), of = (pick) => each.reduce((made, one) => made * one[pick], 1n);
  const low = of("low"), high = of("high"), scale = each.reduce((sum, one) => sum + one.scale, 0);
  const places = view.significant ? Math.max(0, view.count + scale - String(low).length) : view.count;
  const sign = low && each.filter((one) => one.negative).length % 2 ? "-" : "";
  const text = (n, kept) => {
    const digits = String(n).padStart(scale + 1, "0"), at = digits.length - scale;
    return halfUp(digits.slice(0, at), digits.slice(at), kept);
  };
  if (low === high) {
    const digits = String(low).padStart(scale + 1, "0"), at = digits.length - scale;
    const decimals = digits.slice(at).replace(/0+$/, "");
    if (decimals.length <= places) return [sign + digits.slice(0, at) + (decimals && `.${decimals}`), true];
  }
  for (let kept = places; kept >= 0; kept--) if (text(low, kept) === text(high, kept)) return [sign + text(low, kept), false];
  return null;
}
