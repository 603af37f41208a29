/**
 * All that a node keeps, its journal too, as one ordered map: {@link
 * dev.sequitur.persistence.map.OrderedMap} over a LevelDB and over a table of PostgreSQL. What
 * stands under which key is its users' business.
 */
package dev.sequitur.persistence.map;
