package org.lexigraph;

import java.util.List;
import java.util.Map;
import org.lexigraph.codec.Codec;
import org.lexigraph.functions.OwnPredicate;
import org.lexigraph.stages.StageFactory;

/**
 * Functions of a user's own, in a jar of their own beside ours, on servers and in clients. Such a jar names its class in
 * <code>META-INF/services/org.lexigraph.Extension</code>. What has a name of ours is refused.
 */
public interface Extension {

  /** Stages by name. */
  default Map<String, StageFactory> stages() {
    return Map.of();
  }

  /** Predicates by the word of their <code>op</code>. */
  default Map<String, OwnPredicate> predicates() {
    return Map.of();
  }

  /** Codecs, which know their names. */
  default List<Codec> codecs() {
    return List.of();
  }
}
