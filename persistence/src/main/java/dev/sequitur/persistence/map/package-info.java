/**
 * All that a node keeps, its journal too, as one ordered map: {@link
 * dev.sequitur.persistence.map.OrderedMap}, the keys, and what a write changes. The engines stand
 * in rooms of their own, {@code leveldb} and {@code postgres}; what stands under which key is the
 * users' business.
 */
package dev.sequitur.persistence.map;
