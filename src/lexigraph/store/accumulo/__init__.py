"""Tables on a real Apache Accumulo cluster, reached through a JVM in this process.

Layer ``store``. Nothing here is imported, and no JVM started, before a cluster is opened.
"""
