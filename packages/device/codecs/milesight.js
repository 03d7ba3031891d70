/**
 * Milesight's frames: channel, type, then as many bytes as the type has, little-endian. `channels` names what is known, by channel and
 * type in hex; at the first pair that isn't known the rest can't be read.
 */
function decodeMilesight(bytes, channels) {
  var data = {};
  var warnings = [];
  var at = 0;
  while (at < bytes.length) {
    var id = hex(bytes[at]) + hex(bytes[at + 1] || 0);
    var length = own(channels, id) ? channels[id].length : lengthOfAttribute(id);
    if (length === null || at + 2 + length > bytes.length) {
      warnings.push('not read from channel ' + id + ' on');
      break;
    }
    if (own(channels, id)) channels[id].read(bytes.slice(at + 2, at + 2 + length), data);
    at += 2 + length;
  }
  return warnings.length > 0 && Object.keys(data).length === 0
    ? { errors: warnings }
    : { data: data, warnings: warnings };
}

function own(object, name) {
  return Object.prototype.hasOwnProperty.call(object, name);
}

function hex(byte) {
  return (byte < 16 ? '0' : '') + byte.toString(16);
}

/** What a device says of itself after it has joined: versions, serial number, class, reset, power on. */
function lengthOfAttribute(id) {
  var lengths = { ff01: 1, ff09: 2, ff0a: 2, ff0b: 1, ff0f: 1, ff16: 8, ff18: 1, ffff: 2, fffe: 1 };
  return own(lengths, id) ? lengths[id] : null;
}

function unsigned(bytes) {
  return bytes.reduceRight(function (sum, byte) {
    return sum * 256 + byte;
  }, 0);
}

function signed16(bytes) {
  var value = unsigned(bytes);
  return value > 32767 ? value - 65536 : value;
}

/** A channel whose value is a number: `scale` to what one step of it is. */
function channel(name, length, scale, read) {
  return {
    length: length,
    read: function (bytes, data) {
      data[name] = (read || unsigned)(bytes) * scale;
    },
  };
}

/** A channel that is one of two words. */
function state(name, off, on) {
  return {
    length: 1,
    read: function (bytes, data) {
      // Others are no state: 0xff says how a command went.
      if (bytes[0] < 2) data[name] = bytes[0] === 1 ? on : off;
    },
  };
}
