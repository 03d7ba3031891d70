/**
 * Decentlab's frames, protocol version 2: version, device id and a word of flags, then for each flag from the lowest the words of that
 * group of sensors, all big-endian. A model below says what its groups are; `w` are the words of one group.
 */
function decodeDecentlab(bytes, groups) {
  function word(at) {
    return bytes[at] * 256 + bytes[at + 1];
  }
  if (bytes[0] !== 2) return { errors: ['protocol version ' + bytes[0] + ' is not 2'] };
  var data = { protocol_version: 2, device_id: word(1) };
  var flags = word(3);
  var at = 5;
  for (var index = 0; index < groups.length; index += 1) {
    if (Math.floor(flags / Math.pow(2, index)) % 2 === 0) continue;
    var group = groups[index];
    if (at + 2 * group.words > bytes.length) return { errors: ['the message ends early'] };
    var words = [];
    for (var count = 0; count < group.words; count += 1, at += 2) words.push(word(at));
    group.values(words, data);
  }
  return { data: data };
}

function measured(value, unit) {
  return unit === undefined ? { value: value } : { value: value, unit: unit };
}

/** A word that may be negative is sent 32768 higher. */
function signed(word) {
  return word - 32768;
}

var battery = {
  words: 1,
  values: function (w, data) {
    data.battery_voltage = measured(w[0] / 1000, 'V');
  },
};
