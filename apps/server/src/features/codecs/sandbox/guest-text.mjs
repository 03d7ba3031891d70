/** Text of the guest's part that copies a result as JSON within the limits. Uses the names at the top of `guest`. */
export const guestText = () => `let limits;
  function over(what) { return { limit: 'its result ' + what }; }

  function text(value, depth, count) {
    switch (typeof value) {
      case 'boolean': return value ? 'true' : 'false';
      case 'number': return finite(value) ? '' + value : 'null';
      case 'bigint': return text(toNumber(value), depth, count);
      case 'string':
        if (value.length > limits.characters) throw over('has a text of more than ' + limits.characters + ' characters');
        return stringify(value);
      case 'object': return value === null ? 'null' : members(value, depth, count);
      default: return undefined;
    }
  }

  function members(value, depth, count) {
    if (value instanceof DateOf) {
      const time = apply(getTime, value, []);
      return finite(time) ? '"' + apply(toISOString, value, []) + '"' : 'null';
    }
    if (depth === 0) throw over('nests deeper than ' + limits.depth + ' levels');
    const list = isArray(value) || isView(value);
    const names = list ? undefined : keys(value);
    const length = list ? value.length >>> 0 : names.length;
    if (length > limits.members) throw over('has ' + length + ' members in one place, at most ' + limits.members + ' are read');
    let out = '';
    for (let index = 0; index < length; index += 1) {
      if ((count.values += 1) > limits.values) throw over('has more than ' + limits.values + ' values');
      const name = list ? index : names[index];
      if (name === '__proto__') continue;
      const part = text(value[name], depth - 1, count);
      if (list) out += (index === 0 ? '' : ',') + (part === undefined ? 'null' : part);
      else if (part !== undefined) out += (out === '' ? '' : ',') + stringify(name) + ':' + part;
      if (out.length > limits.characters) throw over('has more than ' + limits.characters + ' characters');
    }
    return list ? '[' + out + ']' : '{' + out + '}';
  }`;
