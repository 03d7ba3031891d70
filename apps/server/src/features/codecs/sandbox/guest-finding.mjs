/** Text of the guest's part that finds what a script may be called by. Uses the names at the top of `guest`. */
export const guestFinding = () => `let codec;

  /** By name, newest first: LoRa Alliance TS013, ChirpStack v3, The Things Network v2. */
  function find(moduleExports) {
    if (global.Date === watchedDate) give('Date', DateOf);
    if (!look('decodeUplink', moduleExports) && !look('Decode', moduleExports) && !look('Decoder', moduleExports)) return 'none';
    return clockWasRead ? 'knows the time' : 'found';
  }

  /** Where a script puts its functions: at the top, in the driver of a bundle, in what it exports, in another object. */
  function look(name, moduleExports) {
    return lookIn(global, name, valueOf(name)) || lookBelow(name, valueOf('driver')) || lookBelow(name, valueOf('exports')) ||
      lookBelow(name, memberOf(valueOf('module'), 'exports')) || lookBelow(name, moduleExports) || lookAmongGlobals(name);
  }

  function lookBelow(name, holder) {
    const below = function (place) { const inner = memberOf(holder, place); return lookIn(inner, name, memberOf(inner, name)); };
    return lookIn(holder, name, memberOf(holder, name)) || below('driver') || below('default');
  }

  function lookAmongGlobals(name) {
    const names = keys(global);
    for (let index = 0; index < names.length; index += 1) {
      const holder = memberOf(global, names[index]);
      if (lookIn(holder, name, memberOf(holder, name))) return true;
    }
    return false;
  }

  function lookIn(holder, shape, decode) {
    if (typeof decode !== 'function') return false;
    const normalize = holder === global ? undefined : memberOf(holder, 'normalizeUplink');
    codec = { holder: holder === global ? undefined : holder, shape, decode, normalize: normalize || valueOf('normalizeUplink') };
    return true;
  }

  function memberOf(holder, name) {
    try {
      return holder === undefined || holder === null ? undefined : holder[name];
    } catch {
      return undefined;
    }
  }

  /** const and let at the top of a script are no members of the global object. */
  function valueOf(name) {
    try {
      return evaluate('typeof ' + name + ' === "undefined" ? undefined : ' + name);
    } catch {
      return undefined;
    }
  }`;
